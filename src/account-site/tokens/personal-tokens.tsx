import { page } from '../declaration.ts'
import { PersonalTokensDocument } from '../generated/operations.ts'
import { PageLinks, pageOf } from '../page-links.tsx'
import { TokenList } from './listed-token.tsx'

export const personalTokensPath = '/tokens'

/** The person's own tokens. */
export const personalTokens = page({
  path: personalTokensPath,
  title: 'Personal tokens',
  nav: { in: 'account', label: 'Personal tokens', order: 30 },
  document: PersonalTokensDocument,
  // What no longer works is shown when asked for: it only ever gets more.
  variables: ({ query }) => ({ live: !query.has('all'), page: pageOf(query) }),
  view: ({ viewer: { tokens } }, { site, path, query }) => (
    <>
      <p>
        A personal token lets a script of yours act for you, in all your teams, as far as its scopes and your roles go. Its value begins
        with <code>pat_</code>.
      </p>
      <p>
        <a class="button" href={`${personalTokensPath}/new`}>
          Create a personal token
        </a>
      </p>
      {tokens.nodes.length === 0 ? (
        <p class="empty">
          {tokens.page > 1 ? 'The list ends before this page.' : `You have no personal token${query.has('all') ? '' : ' that works'}.`}
        </p>
      ) : (
        <TokenList tokens={tokens.nodes} path={personalTokensPath} now={site.now()} />
      )}
      <PageLinks label="Pages" path={path} query={query} list={tokens} />
      <p>
        {query.has('all') ? (
          <a href={personalTokensPath}>Only those that work</a>
        ) : (
          <a href={`${personalTokensPath}?all`}>Also those that no longer work</a>
        )}
      </p>
    </>
  ),
})

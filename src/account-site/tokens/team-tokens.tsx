import { page } from '../declaration.ts'
import { TeamTokensDocument } from '../generated/operations.ts'
import { PageLinks, pageOf } from '../page-links.tsx'
import type { Visit } from '../visit.ts'
import { TokenList } from './listed-token.tsx'

/** Where the tokens of the visited team are. */
export const teamTokensPath = (visit: Visit) => `/teams/${visit.param('team')}/tokens`

/** The tokens of a team. */
export const teamTokens = page({
  path: '/teams/:team/tokens',
  title: 'Team tokens',
  nav: { in: 'team', label: 'Tokens', order: 50 },
  document: TeamTokensDocument,
  variables: (visit) => ({ team: visit.param('team'), page: pageOf(visit.query) }),
  view: ({ team: { tokens } }, visit) => (
    <>
      <p>
        A team token lets a service of the team act for the team, whoever made it. Its value begins with <code>tat_</code>.
      </p>
      <p>
        <a class="button" href={`${visit.path}/new`}>
          Create a team token
        </a>
      </p>
      {tokens.nodes.length === 0 ? (
        <p class="empty">{tokens.page > 1 ? 'The list ends before this page.' : 'The team has no token.'}</p>
      ) : (
        <TokenList tokens={tokens.nodes} path={visit.path} now={visit.site.now()} />
      )}
      <PageLinks label="Pages" path={visit.path} query={visit.query} list={tokens} />
    </>
  ),
})

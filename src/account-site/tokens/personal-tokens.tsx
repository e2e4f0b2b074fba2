import { page } from '../framework/page.ts'
import { PersonalTokensDocument } from '../generated/operations.ts'
import { personalTokensPath } from '../../web/page-paths.ts'
import { pageNumberOf } from '../../web/components/page-links.tsx'
import { showsLiveOnly, TokenListing } from './token-list-page.tsx'

/** The user's personal tokens. */
export const personalTokens = page({
  path: personalTokensPath,
  title: 'Personal tokens',
  nav: { section: 'account', label: 'Personal tokens', order: 30 },
  document: PersonalTokensDocument,
  variables: (ctx) => ({ live: showsLiveOnly(ctx), page: pageNumberOf(ctx.query) }),
  view: ({ viewer: { tokens } }, ctx) => (
    <TokenListing ctx={ctx} tokens={tokens} create="Create a personal token" none="You have no personal token">
      A personal token lets a script of yours act for you, in all your teams, as far as its scopes and your roles go. Its value begins with{' '}
      <code>pat_</code>.
    </TokenListing>
  ),
})

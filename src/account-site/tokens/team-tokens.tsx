import { page } from '../framework/page.ts'
import { TeamTokensDocument } from '../generated/operations.ts'
import { pageNumberOf } from '../../web/components/page-links.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { showsLiveOnly, TokenListing } from './token-list-page.tsx'

/** Path of the list of tokens of the current team. */
export const teamTokensPath = (ctx: PageContext) => `/teams/${ctx.param('team')}/tokens`

/** The team tokens of a team. */
export const teamTokens = page({
  path: '/teams/:team/tokens',
  title: 'Team tokens',
  nav: { section: 'team', label: 'Tokens', order: 50 },
  document: TeamTokensDocument,
  variables: (ctx) => ({ team: ctx.param('team'), live: showsLiveOnly(ctx), page: pageNumberOf(ctx.query) }),
  view: ({ team: { tokens } }, ctx) => (
    <TokenListing ctx={ctx} tokens={tokens} create="Create a team token" none="The team has no token">
      A team token lets a service of the team act for the team, whoever made it. Its value begins with <code>tat_</code>.
    </TokenListing>
  ),
})

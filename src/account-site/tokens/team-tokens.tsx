import { page } from '../framework/page.ts'
import { TeamTokensDocument } from '../generated/operations.ts'
import type { PageContext } from '../framework/page-context.ts'
import { revokeToken } from './revoke-token.tsx'
import { TokenListing, tokenVariables } from './token-list-page.tsx'
import { tokenTable } from './token-table.tsx'

/** Path of the list of tokens of the current team. */
export const teamTokensPath = (ctx: PageContext) => `/teams/${ctx.param('team')}/tokens`

const table = tokenTable({ empty: 'Create a token to use the API in your team’s services.', hasCreator: true })

/** The team tokens of a team. */
export const teamTokens = page({
  path: '/teams/:team/tokens',
  title: 'Team tokens',
  nav: { section: 'team', icon: 'key', order: 50 },
  document: TeamTokensDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...tokenVariables(table, ctx) }),
  forms: { revoke: revokeToken(teamTokensPath) },
  view: ({ team: { tokens } }, ctx) => (
    <TokenListing ctx={ctx} table={table} tokens={tokens} create="Create a team token">
      Services use team tokens to act for the team. A token stays active after the person who created it leaves. CI jobs can use{' '}
      <a href={`/teams/${ctx.param('team')}/identities`}>workload identities</a> instead, without a stored secret.
    </TokenListing>
  ),
})

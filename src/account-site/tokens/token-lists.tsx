import { page } from '../framework/page.ts'
import { PersonalTokensDocument, TeamTokensDocument } from '../generated/operations.ts'
import { personalTokensPath } from '../../web/page-paths.ts'
import { revokeToken } from './revoke-token.tsx'
import { tokenTable } from './token-table.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { ComponentChildren } from 'preact'
import { addressWith, readListVariables } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import type { ListedToken } from './listed-token.ts'

const personalTable = tokenTable({ empty: 'Create a token to use the API in your scripts.', hasCreator: false })

/** The user's personal tokens. */
export const personalTokens = page({
  path: personalTokensPath,
  title: 'Personal tokens',
  nav: { group: 'account', icon: 'ticket', order: 30 },
  document: PersonalTokensDocument,
  variables: (ctx) => tokenVariables(personalTable, ctx),
  forms: { revoke: revokeToken(() => personalTokensPath) },
  view: ({ viewer: { tokens, endedTokens } }, ctx) => (
    <TokenListing ctx={ctx} hasEnded={endedTokens.total > 0} table={personalTable} tokens={tokens} create="Create a personal token">
      Scripts use personal tokens to act as you, in all your teams or in selected ones. A token never has more permissions than you.
    </TokenListing>
  ),
})

/** Path of the list of tokens of the current team. */
export const teamTokensPath = (ctx: PageContext) => `/teams/${ctx.param('team')}/tokens`

const teamTable = tokenTable({ empty: 'Create a token to use the API in your team’s services.', hasCreator: true })

/** The team tokens of a team. */
export const teamTokens = page({
  path: '/teams/:team/tokens',
  title: 'Team tokens',
  nav: { group: 'developers', icon: 'key', order: 10 },
  document: TeamTokensDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...tokenVariables(teamTable, ctx) }),
  forms: { revoke: revokeToken(teamTokensPath) },
  view: ({ team: { tokens, endedTokens } }, ctx) => (
    <TokenListing ctx={ctx} hasEnded={endedTokens.total > 0} table={teamTable} tokens={tokens} create="Create a team token">
      Services use team tokens to act for the team. A token stays active after the person who created it leaves. CI jobs can use{' '}
      <a href={`/teams/${ctx.param('team')}/identities`}>workload identities</a> instead, without a stored secret.
    </TokenListing>
  ),
})

type Table = ReturnType<typeof tokenTable>

/** Returns the variables of a list of tokens. */
function tokenVariables(table: Table, { query }: PageContext) {
  const { all, ...variables } = readListVariables(table, query)
  return { ...variables, live: all === null || null }
}

interface TokenListingProps {
  ctx: PageContext
  table: Table
  tokens: { nodes: readonly ListedToken[]; total: number; page: number; lastPage: number }
  /** True if there are expired or revoked tokens. */
  hasEnded: boolean
  /** Label of the link to the form that creates a token. */
  create: string
  /** Explains this kind of token. */
  children: ComponentChildren
}

/** The content of a list of personal or team tokens. */
const TokenListing = ({ ctx, table, tokens, hasEnded, create, children }: TokenListingProps) => {
  const { path, query } = ctx
  return (
    <>
      <p>{children}</p>
      <DataTable
        table={table}
        ctx={ctx}
        list={tokens}
        actions={
          <a class="button" href={`${path}/new`}>
            {create}
          </a>
        }
      />
      {hasEnded && !query.has('all') && (
        <p>
          <a href={addressWith(path, query, { all: 'yes' })}>Show expired and revoked</a>
        </p>
      )}
    </>
  )
}

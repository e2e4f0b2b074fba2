import { page } from '../framework/page.ts'
import { PersonalTokensDocument } from '../generated/operations.ts'
import { personalTokensPath } from '../../web/page-paths.ts'
import { revokeToken } from './revoke-token.tsx'
import { TokenListing, tokenVariables } from './token-list-page.tsx'
import { tokenTable } from './token-table.tsx'

const table = tokenTable({ empty: 'Create a token to use the API in your scripts.', hasCreator: false })

/** The user's personal tokens. */
export const personalTokens = page({
  path: personalTokensPath,
  title: 'Personal tokens',
  nav: { section: 'account', icon: 'key', order: 30 },
  document: PersonalTokensDocument,
  variables: (ctx) => tokenVariables(table, ctx),
  forms: { revoke: revokeToken(() => personalTokensPath) },
  view: ({ viewer: { tokens } }, ctx) => (
    <TokenListing ctx={ctx} table={table} tokens={tokens} create="Create a personal token">
      Scripts use personal tokens to act as you, in all your teams or in selected ones. A token never has more permissions than you.
    </TokenListing>
  ),
})

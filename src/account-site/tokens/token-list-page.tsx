import type { ComponentChildren } from 'preact'
import type { PageContext } from '../framework/page-context.ts'
import { addressWith, variablesOf } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import type { ListedToken } from './listed-token.ts'
import type { tokenTable } from './token-table.tsx'

type Table = ReturnType<typeof tokenTable>

/** The variables of a list of tokens. */
export function tokenVariables(table: Table, { query }: PageContext) {
  const { all, ...variables } = variablesOf(table, query)
  return { ...variables, live: all === null || null }
}

interface TokenListingProps {
  ctx: PageContext
  table: Table
  tokens: { nodes: readonly ListedToken[]; total: number; page: number; lastPage: number }
  /** Label of the link to the form that creates a token. */
  create: string
  /** Explains this kind of token. */
  children: ComponentChildren
}

/** The content of a list of personal or team tokens. */
export const TokenListing = ({ ctx, table, tokens, create, children }: TokenListingProps) => {
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
      {!query.has('all') && (
        <p>
          <a href={addressWith(path, query, { all: 'yes' })}>Show expired and revoked</a>
        </p>
      )}
    </>
  )
}

import type { ComponentChildren } from 'preact'
import { EmptyList, PageLinks } from '../../web/components/page-links.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { isFiltered } from './address.ts'
import { Controls } from './controls.tsx'
import type { Filters, TableDeclaration } from './declaration.ts'
import { Rows } from './rows.tsx'

interface DataTableProps<Row, Sort extends string, Filtered extends Filters> {
  table: TableDeclaration<Row, Sort, Filtered>
  ctx: PageContext
  /** The page of the list that the query returned. */
  list: { nodes: readonly Row[]; total: number; page: number; lastPage: number }
  /** Buttons on the line of the heading. */
  actions?: ComponentChildren
  /** The form of selected rows, between the controls and the rows. */
  children?: ComponentChildren
}

/** A table with its controls, count and pages, or what to do while it is empty. */
export function DataTable<Row, Sort extends string, Filtered extends Filters>(props: DataTableProps<Row, Sort, Filtered>) {
  const { table, ctx, list, actions, children } = props
  const isLimited = isFiltered(table, ctx.query)
  const isEmpty = list.total === 0 && !isLimited
  return (
    <section class="data" aria-labelledby="rows">
      <div class="heading">
        <h2 id="rows">{countOf(list.total, table.noun, isLimited)}</h2>
        {actions}
      </div>
      {!isEmpty && <Controls table={table} ctx={ctx} />}
      {list.nodes.length > 0 ? (
        <>
          {children}
          <Rows table={table} ctx={ctx} nodes={list.nodes} />
        </>
      ) : (
        <EmptyList isBeyond={list.total > 0}>
          {isLimited ? (
            <>
              Change the search or the filters, or <a href={ctx.path}>show all {table.noun[1]}</a>.
            </>
          ) : (
            table.empty
          )}
        </EmptyList>
      )}
      <PageLinks label={`Pages of ${table.noun[1]}`} path={ctx.path} query={ctx.query} list={list} />
    </section>
  )
}

function countOf(total: number, [one, many]: readonly [string, string], isLimited: boolean): string {
  const count = `${total === 0 ? 'No' : total.toLocaleString('en')} ${total === 1 ? one : many}`
  return isLimited ? `${count} found` : count
}

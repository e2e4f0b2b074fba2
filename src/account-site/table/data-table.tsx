import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { SelectionContext } from '../../web/components/lists/selection-panel.tsx'
import type { PageSelection } from '../../web/components/lists/selection-panel.tsx'
import { listSelected, selectionFields } from '../framework/each-form.ts'
import { formatTotal } from '../../web/components/lists/list-card.tsx'
import { EmptyList, PageLinks } from '../../web/components/lists/page-links.tsx'
import type { ListPosition } from '../../web/components/lists/page-links.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { isFiltered } from './address.ts'
import { Controls } from './controls.tsx'
import type { Filters, TableDeclaration } from './declaration.ts'
import { Rows } from './rows.tsx'

interface DataTableProps<Row, Sort extends string, Filtered extends Filters> {
  table: TableDeclaration<Row, Sort, Filtered>
  ctx: PageContext
  /** The page of the list that the query returned. */
  list: ListPosition & { nodes: readonly Row[]; total: number }
  /** Description of the contents of the list; by default, the number of rows. */
  count?: string
  /** Buttons on the line of the heading. */
  actions?: ComponentChildren
  /** Content below the rows, such as the form of selected rows. */
  children?: ComponentChildren
}

/** A table with its controls, count and pages, or a hint while it is empty. */
export function DataTable<Row, Sort extends string, Filtered extends Filters>(props: DataTableProps<Row, Sort, Filtered>) {
  const { ctx, list, count, actions, children } = props
  const table = buildTable(props.table, ctx)
  const isLimited = isFiltered(table, ctx.query)
  const total = formatTotal(list.total, table.noun)
  const isEmpty = list.total === 0 && !isLimited
  return (
    <section class="data" aria-labelledby="rows">
      <div class="heading">
        <h2 id="rows">{count ?? (isLimited ? `${total} found` : total)}</h2>
        {actions}
      </div>
      {!isEmpty && <Controls table={table} ctx={ctx} />}
      {list.nodes.length > 0 ? (
        <SelectionContext.Provider value={buildSelection(table, ctx, list.nodes)}>
          <Rows table={table} ctx={ctx} nodes={list.nodes} />
          {children}
        </SelectionContext.Provider>
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

/** Returns the columns and filters that the user may see. */
const buildTable = <Row, Sort extends string, Filtered extends Filters>(
  table: TableDeclaration<Row, Sort, Filtered>,
  ctx: PageContext,
) => ({
  ...table,
  columns: table.columns.filter(({ isAllowed }) => isAllowed?.(ctx) ?? true),
  filters: Object.fromEntries(Object.entries(table.filters).filter(([, { isAllowed }]) => isAllowed?.(ctx) ?? true)),
})

/** Returns the rows that can be selected, and those that the user selected before the form was shown again. */
function buildSelection<Row>({ selection, getName }: Selectable<Row>, ctx: PageContext, nodes: readonly Row[]): PageSelection {
  if (!selection?.isAllowed(ctx)) return { rows: [], all: [] }
  const all = nodes.flatMap((row) => {
    const value = selection.getValue(row, ctx)
    return value === null ? [] : [{ value, name: getName(row) }]
  })
  const submitted = ctx.refused?.name === selection.form ? selectionSubmission.parse(ctx.refused.values) : null
  const selected = new Set(submitted && listSelected(submitted))
  return { rows: all.filter(({ value }) => selected.has(value)), all }
}

const selectionSubmission = z
  .object(selectionFields)
  .partial()
  .catch({})
  .transform(({ selected = [], all = [] }) => ({ selected, all }))
type Selectable<Row> = Pick<TableDeclaration<Row, string, Filters>, 'selection' | 'getName'>

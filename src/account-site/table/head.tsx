import { SelectAll } from '../../web/components/lists/selection-panel.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { addressWith, orderInAddress, readOrder } from './address.ts'
import type { Column, Filters, TableDeclaration } from './declaration.ts'

interface HeadProps {
  table: Pick<TableDeclaration<never, string, Filters>, 'columns' | 'sort' | 'isDescending'>
  ctx: PageContext
  /** The form of selected rows; undefined without one. */
  selectionForm: string | undefined
  hasMenus: boolean
}

/** The headings of the columns, which sort the table. Phones have no headings: the controls sort, and cells carry their labels. */
export const Head = ({ table, ctx, selectionForm, hasMenus }: HeadProps) => (
  <thead>
    <tr>
      {selectionForm !== undefined && (
        <th scope="col" class="select">
          <SelectAll form={selectionForm} />
        </th>
      )}
      {table.columns.map((column) => (
        <Heading column={column} order={readOrder(table, ctx.query)} ctx={ctx} />
      ))}
      {hasMenus && (
        <th scope="col" class="menu">
          <span class="visually-hidden">Actions</span>
        </th>
      )}
    </tr>
  </thead>
)

interface HeadingProps {
  column: Column<never, string>
  order: { sort: string; isDescending: boolean }
  ctx: PageContext
}

function Heading({ column: { label, kind, sort, descendsFirst = false }, order, ctx: { path, query } }: HeadingProps) {
  if (sort === undefined)
    return (
      <th scope="col" class={kind}>
        {label}
      </th>
    )
  const isSorted = order.sort === sort
  const next = orderInAddress(sort, isSorted ? !order.isDescending : descendsFirst)
  const sorted = order.isDescending ? 'descending' : 'ascending'
  return (
    <th scope="col" class={kind} aria-sort={isSorted ? sorted : undefined}>
      <a href={addressWith(path, query, { sort: next })}>{label}</a>
    </th>
  )
}

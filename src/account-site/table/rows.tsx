import { useSelection } from '../../web/components/selection-panel.tsx'
import { RowMenu } from '../../web/components/menus.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { addressWith, orderInAddress, orderOf } from './address.ts'
import type { Column, Filters, TableDeclaration } from './declaration.ts'

interface RowsProps<Row, Sort extends string, Filtered extends Filters> {
  table: TableDeclaration<Row, Sort, Filtered>
  ctx: PageContext
  nodes: readonly Row[]
}

/** The rows of a table, which become cards on phones: each cell carries the label of its column. */
export function Rows<Row, Sort extends string, Filtered extends Filters>({ table, ctx, nodes }: RowsProps<Row, Sort, Filtered>) {
  const selection = table.selection?.isAllowed(ctx) ? table.selection : undefined
  const [naming, ...others] = table.columns
  const menus = nodes.map((row) => table.menu?.(row, ctx) ?? null)
  const hasMenus = menus.some((menu) => menu !== null)
  return (
    <table class="rows" aria-labelledby="rows">
      <thead>
        <tr>
          {selection && (
            <th scope="col" class="select">
              <span class="visually-hidden">Select</span>
            </th>
          )}
          {table.columns.map((column) => (
            <Heading column={column} order={orderOf(table, ctx.query)} ctx={ctx} />
          ))}
          {hasMenus && (
            <th scope="col" class="menu">
              <span class="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {nodes.map((row, index) => (
          <tr>
            {selection && (
              <td class="select">
                <Checkbox form={selection.form} value={selection.valueOf(row, ctx)} name={table.nameOf(row)} />
              </td>
            )}
            <th scope="row">{naming?.cell(row, ctx)}</th>
            {others.map(({ label, kind, cell }) => (
              <td class={kind} data-label={label}>
                {cell(row, ctx)}
              </td>
            ))}
            {hasMenus && (
              <td class="menu">
                <RowMenu name={table.nameOf(row)}>{menus[index]}</RowMenu>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface HeadingProps<Row> {
  column: Column<Row, string>
  order: { sort: string; isDescending: boolean }
  ctx: PageContext
}

function Heading<Row>({ column: { label, kind, sort, descendsFirst = false }, order, ctx: { path, query } }: HeadingProps<Row>) {
  if (sort === undefined)
    return (
      <th scope="col" class={kind}>
        {label}
      </th>
    )
  const isSorted = order.sort === sort
  const next = orderInAddress(sort, isSorted ? !order.isDescending : descendsFirst)
  return (
    <th scope="col" class={kind} aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}>
      <a href={addressWith(path, query, { sort: next })}>{label}</a>
    </th>
  )
}

function Checkbox({ form, value, name }: { form: string; value: string | null; name: string }) {
  const isChecked = useSelection().rows.some((row) => row.value === value)
  if (value === null) return null
  return <input type="checkbox" form={form} name="selected" value={value} checked={isChecked} aria-label={`Select ${name}`} />
}

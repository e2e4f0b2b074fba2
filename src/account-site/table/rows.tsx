import { useSelection } from '../../web/components/lists/selection-panel.tsx'
import { RowMenu } from '../../web/components/menus.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { Filters, PhonePlace, TableDeclaration } from './declaration.ts'
import { Head } from './head.tsx'

interface RowsProps<Row, Sort extends string, Filtered extends Filters> {
  table: TableDeclaration<Row, Sort, Filtered>
  ctx: PageContext
  nodes: readonly Row[]
}

/** The rows of a table. On phones they are two lines high, and open to show the rest (styles/components/phone-rows.css). */
export function Rows<Row, Sort extends string, Filtered extends Filters>({ table, ctx, nodes }: RowsProps<Row, Sort, Filtered>) {
  const selection = table.selection?.isAllowed(ctx) ? table.selection : undefined
  const [naming, ...others] = table.columns
  const menus = nodes.map((row) => table.menu?.(row, ctx) || null)
  const hasMenus = menus.some((menu) => menu !== null)
  const hasDetails = others.some(({ phone }) => phone === 'detail')
  return (
    <table class="rows" aria-labelledby="rows">
      <Head table={table} ctx={ctx} selectionForm={selection?.form} hasMenus={hasMenus} />
      <tbody>
        {nodes.map((row, index) => (
          <tr>
            {selection && (
              <td class="select">
                <Checkbox form={selection.form} value={selection.getValue(row, ctx)} name={table.getName(row)} />
              </td>
            )}
            <th scope="row">
              {naming?.cell(row, ctx)}
              {(hasDetails || menus[index]) && <More name={table.getName(row)} />}
            </th>
            {others.map(({ label, kind, phone, cell }) => (
              <td class={[kind, places[phone]].join(' ').trim() || undefined} data-label={isLabelled[phone] ? label : undefined}>
                {cell(row, ctx)}
              </td>
            ))}
            {hasMenus && (
              <td class="menu">
                <RowMenu id={`menu-${index}`} name={table.getName(row)}>
                  {menus[index]}
                </RowMenu>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const places: Record<PhonePlace, string> = { name: 'name', state: 'state', 'labelled state': 'state', detail: '' }
const isLabelled: Record<PhonePlace, boolean> = { name: false, state: false, 'labelled state': true, detail: true }

/** A button that opens a row on a phone. While it is open, the styles show the details, which are cells of the table. */
const More = ({ name }: { name: string }) => (
  <details>
    <summary aria-label={`Details of ${name}`} />
  </details>
)

function Checkbox({ form, value, name }: { form: string; value: string | null; name: string }) {
  const isChecked = useSelection().rows.some((row) => row.value === value)
  if (value === null) return null
  return (
    <label>
      <input type="checkbox" form={form} name="selected" value={value} checked={isChecked} />
      Select {name}
    </label>
  )
}

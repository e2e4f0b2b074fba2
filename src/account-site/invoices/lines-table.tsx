import { Table } from '../../web/components/lists/table.tsx'
import { useTimes } from '../../web/components/time.tsx'
import { listColumns, formatLineDetails, listTotals } from './content.ts'
import type { PrintedInvoice, PrintedLine } from './content.ts'

/** The lines of an invoice and its totals. */
export const LinesTable = (invoice: PrintedInvoice) => {
  const columns = listColumns(invoice)
  return (
    <Table label="Table of lines">
      <thead>
        <tr>
          <th scope="col">Description</th>
          {columns.map(({ title }) => (
            <th scope="col" class="amount">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {invoice.lines.map((line) => (
          <tr>
            <td class="words">
              <bdi>{line.description}</bdi>
              <LineDetails line={line} />
            </td>
            {columns.map(({ title, text }) => (
              <td class="amount" data-label={title}>
                {text(line)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        {listTotals(invoice).map(({ label, amount, isMain }) => (
          <tr>
            <th scope="row" colSpan={columns.length} class="amount">
              {isMain ? <strong>{label}</strong> : label}
            </th>
            <td class="amount">{isMain ? <strong>{amount}</strong> : amount}</td>
          </tr>
        ))}
      </tfoot>
    </Table>
  )
}

function LineDetails({ line }: { line: PrintedLine }) {
  const details = formatLineDetails(line, useTimes())
  return details ? <small class="about">{details}</small> : null
}

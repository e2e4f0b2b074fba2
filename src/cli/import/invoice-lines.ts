import type { ClientBase } from 'pg'
import type { RecordOf } from './records.ts'
import { invoiceKey, invoiceRow, upsertInvoices } from './tables.ts'
import { recordset } from './upsert.ts'
import type { Written } from './upsert.ts'

/** An invoice record and the team it goes to. */
export interface InvoiceToWrite {
  record: RecordOf<'invoice'>
  teamId: string
}

const lineColumns = {
  application: '"Application"',
  description: 'text',
  quantity: 'int',
  unit_amount: 'bigint',
  period_start: 'date',
  period_end: 'date',
}
const names = Object.keys(lineColumns).join(', ')

// Stored and incoming lines compare as JSON of the same columns in the same order; an invoice not there yet has none.
const findDiffering = `
  SELECT i.n, e.id FROM ${recordset({ ...invoiceKey, lines: 'jsonb' })}
  LEFT JOIN invoices e ON e.team_id = i.team_id AND e.number = i.number
  WHERE i.lines IS DISTINCT FROM (
    SELECT coalesce(jsonb_agg(jsonb_build_array(${names}) ORDER BY position), '[]') FROM invoice_lines WHERE invoice_id = e.id
  )`
const removeLines = 'DELETE FROM invoice_lines WHERE invoice_id = ANY ($1::uuid[])'
const insertLines = `
  INSERT INTO invoice_lines (invoice_id, position, ${names})
  SELECT invoice_id, position, ${names} FROM ${recordset({ invoice_id: 'uuid', position: 'int', ...lineColumns })}`

/** Writes invoices and, where they differ, replaces their lines; answers the invoices that are new or changed. */
export async function writeInvoices(session: ClientBase, invoices: readonly InvoiceToWrite[]): Promise<Written[]> {
  if (invoices.length === 0) return []
  const compared = invoices.map(({ record: { number, lines }, teamId }) => {
    return { team_id: teamId, number, lines: lines.map((line) => Object.values(lineRow(line))) }
  })
  const { rows: differing } = await session.query<{ n: number; id: string | null }>(findDiffering, [JSON.stringify(compared)])
  const headers = invoices.map(({ record, teamId }) => invoiceRow(record, teamId))
  const written = await upsertInvoices(session, headers)
  const present = differing.flatMap(({ id }) => (id === null ? [] : [id]))
  if (present.length > 0) await session.query(removeLines, [present])

  const ids = new Map(differing.map(({ n, id }) => [n, id]))
  for (const { n, id } of written) if (id !== undefined && ids.has(n)) ids.set(n, id)
  const lines = invoices.flatMap(({ record }, n) => {
    const id = ids.get(n)
    return id ? record.lines.map((line, position) => Object.assign(lineRow(line), { invoice_id: id, position })) : []
  })
  if (lines.length > 0) await session.query(insertLines, [JSON.stringify(lines)])

  const upserted = new Set(written.map(({ n }) => n))
  const onlyLines = differing.filter(({ n }) => !upserted.has(n)).map(({ n }) => ({ n, created: false }))
  return [...written, ...onlyLines]
}

/** A line by the names of its columns, in their order. */
const lineRow = ({ app_id, description, quantity, unit_amount, period_start, period_end }: RecordOf<'invoice'>['lines'][number]) => ({
  application: app_id ?? null,
  description,
  quantity,
  unit_amount,
  period_start: period_start ?? null,
  period_end: period_end ?? null,
})

import type { ClientBase } from 'pg'
import { invoiceRecord, invoiceLine } from '../../records/types/invoice-record.ts'
import { listStorages } from '../../records/storage.ts'
import type { Resolved } from '../chunk.ts'
import { noIdentifiers, recordset, upsertRows } from '../upsert.ts'
import type { Written } from '../upsert.ts'

const members = [...listStorages(invoiceLine)]
const lineColumns = Object.assign({}, ...members.map(([, { columns }]) => columns))
const names = Object.keys(lineColumns).join(', ')
const upsertInvoices = upsertRows(invoiceRecord, { returnsId: true })

// Compares stored and new lines as JSON arrays of the same columns. An invoice that does not exist yet has no lines.
const findDiffering = `
  SELECT i.n, e.id FROM ${recordset({ ...invoiceRecord.keyColumns, lines: 'jsonb' })}
  LEFT JOIN invoices e ON e.team_id = i.team_id AND e.number = i.number
  WHERE i.lines IS DISTINCT FROM (
    SELECT coalesce(jsonb_agg(jsonb_build_array(${names}) ORDER BY position), '[]') FROM invoice_lines WHERE invoice_id = e.id
  )`
const removeLines = 'DELETE FROM invoice_lines WHERE invoice_id = ANY ($1::uuid[])'
// The service writes the mails to the outbox (schema/invoices/announcements.ts) once the import commits.
const announce = `UPDATE invoices SET announces_issue = true WHERE id = ANY ($1::uuid[]) AND status IN ('open', 'paid')`
const insertLines = `
  INSERT INTO invoice_lines (invoice_id, position, ${names})
  SELECT invoice_id, position, ${names} FROM ${recordset({ invoice_id: 'uuid', position: 'int', ...lineColumns })}`

/** Writes invoices and replaces the lines of those whose lines differ. Returns the new and changed invoices. */
export async function writeInvoices(
  session: ClientBase,
  invoices: readonly Resolved<'invoice'>[],
  withBefore: boolean,
  sendMails: boolean,
): Promise<Written[]> {
  const lineRows = invoices.map(({ record }) => record.lines.map(lineRow))
  const compared = invoices.map(({ row: { team_id, number } }, n) => ({ team_id, number, lines: lineRows[n]?.map(Object.values) }))
  const { rows: differing } = await session.query<{ n: number; id: string | null }>(findDiffering, [JSON.stringify(compared)])
  const written = await upsertInvoices(
    session,
    invoices.map(({ row }) => row),
    withBefore,
  )
  const created = written.flatMap((each) => (each.created && each.id !== undefined ? [each.id] : []))
  if (sendMails && created.length > 0) await session.query(announce, [created])
  const existing = differing.flatMap(({ id }) => (id === null ? [] : [id]))
  if (existing.length > 0) await session.query(removeLines, [existing])

  const ids = new Map(differing.map(({ n, id }) => [n, id]))
  for (const { n, id } of written) if (id !== undefined && ids.has(n)) ids.set(n, id)
  const lines = lineRows.flatMap((rows, n) => {
    const id = ids.get(n)
    return id ? rows.map((row, position) => Object.assign(row, { invoice_id: id, position })) : []
  })
  if (lines.length > 0) await session.query(insertLines, [JSON.stringify(lines)])

  const upserted = new Set(written.map(({ n }) => n))
  const changedLinesOnly = differing.flatMap(({ n, id }) => (id === null || upserted.has(n) ? [] : [{ n, id, created: false }]))
  return [...written, ...changedLinesOnly]
}

/** Returns a line by column, in the order of `names`; an absent member is null. */
function lineRow(line: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.assign({}, ...members.map(([member, { toColumns }]) => toColumns(line[member] ?? null, noIdentifiers)))
}

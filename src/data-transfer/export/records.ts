import type { ClientBase } from 'pg'
import QueryStream from 'pg-query-stream'
import type { RecordType } from '../records/record-type.ts'
import { recordTypes } from '../records/record-types.ts'
import type { RecordTypeName } from '../records/record-types.ts'
import { inChunks } from './destination.ts'

type ExportCounts = Record<RecordTypeName, number>

/** The order of the file. Changing it would change every existing export. */
const order = [
  'user',
  'team',
  'app',
  'member',
  'invoice',
  'token',
  'client',
  'webhook',
  'domain',
  'identity_provider',
  'group_role',
  'linked_identity',
] as const satisfies RecordTypeName[]

/**
 * Exports the database as of one point in time, as chunks of lines, and increments `counts`. Rows are read only as fast
 * as the consumer takes the chunks.
 */
export async function* exportRecords(session: ClientBase, counts: ExportCounts): AsyncGenerator<string> {
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    yield* inChunks(readAll(session, counts))
  } finally {
    await session.query('ROLLBACK')
  }
}

async function* readAll(session: ClientBase, counts: ExportCounts): AsyncGenerator<string> {
  for (const name of order) {
    for await (const line of readLines(session, recordTypes[name])) {
      counts[name] += 1
      yield line
    }
  }
}

async function* readLines(session: ClientBase, type: RecordType): AsyncGenerator<string> {
  const rows: AsyncIterable<Record<string, unknown>> = session.query(
    new QueryStream(exportStatement(type), [], { batchSize: 500, highWaterMark: 500 }),
  )
  for await (const row of rows) yield `${JSON.stringify(type.toRecord(row))}\n`
}

/** Creates the query that reads all records of a type in their order: one column per exported member. */
function exportStatement({ members, table, where, orderBy }: RecordType): string {
  const columns = [...members].flatMap(([member, { select }]) => (select ? [`${select('e')} AS "${member}"`] : []))
  const joins = [...members.values()].flatMap(({ reference, columns: stored }) => {
    const [column] = Object.keys(stored)
    if (reference === 'team') return [`LEFT JOIN teams t ON t.id = e.${column}`]
    return reference === 'user' ? [`LEFT JOIN users u ON u.id = e.${column}`] : []
  })
  // COLLATE "C" in `orderBy` sorts by code point, whatever the locale of the database.
  return `SELECT ${columns.join(', ')} FROM ${table} e ${joins.join(' ')} ${where ? `WHERE ${where}` : ''} ORDER BY ${orderBy}`
}

import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { listTables, listQueues, readSequences } from './catalog.ts'
import type { BackupTable } from './catalog.ts'
import { jsonLine, rowsEnd } from './backup-content.ts'
import type { Manifest } from './backup-content.ts'

/**
 * Reads the state of the database at one point in time, as the content of a backup. Reads rows only as fast as the consumer processes
 * them. Adds the numbers of rows to `counts`.
 */
export async function* databaseContent(
  session: ClientBase,
  about: Pick<Manifest, 'service_version' | 'secret_key_check' | 'secret_key'>,
  counts: Record<string, number>,
): AsyncGenerator<Buffer> {
  const tables = await listTables(session)
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    // A server can limit how long a transaction may wait for a slow disk or network.
    await session.query('SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0')
    // The lock precedes the first query, which takes the snapshot, so that no migration changes a table between snapshot and COPY.
    await session.query(`LOCK TABLE ${tables.map(({ sqlName }) => sqlName).join(', ')} IN ACCESS SHARE MODE`)
    yield jsonLine({ created_at: await readTime(session), ...about, ...(await readState(session)) })
    for (const table of tables) yield* tableContent(session, table, counts)
    // Sequences are not part of a snapshot. They are read last, so that they are never behind the rows.
    yield jsonLine({ rows: counts, sequences: await readSequences(session) })
  } finally {
    await session.query('ROLLBACK')
  }
}

async function* tableContent(session: ClientBase, { name, sqlName, columns }: BackupTable, counts: Record<string, number>) {
  yield jsonLine({ table: name, columns })
  // This is a SELECT, because COPY does not read the partitioned table of the jobs.
  const list = columns.map((column) => `"${column}"`).join(', ')
  const rows = session.query(copyTo(`COPY (SELECT ${list} FROM ${sqlName}) TO STDOUT`))
  const chunks: AsyncIterable<Buffer> = rows
  yield* chunks
  counts[name] = rows.rowCount
  yield Buffer.from(rowsEnd)
}

async function readState(session: ClientBase): Promise<Pick<Manifest, 'migrations' | 'queues'>> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  )
  return { migrations: rows.map(({ name }) => name), queues: await listQueues(session) }
}

async function readTime(session: ClientBase): Promise<string> {
  const { rows } = await session.query<{ at: string }>(`SELECT to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at`)
  return rows[0]?.at ?? ''
}

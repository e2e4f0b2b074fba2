import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { getConstructionPlans } from 'pg-boss'
import { from as copyFrom } from 'pg-copy-streams'
import { advisoryLocks } from '../../prisma/advisory-locks.ts'
import { prismaFolder, readMigrations } from '../database/migrations.ts'
import { queueSchema } from '../jobs/queue.ts'
import { BackupError, damaged } from './backup-error.ts'
import { countTables, listTables } from './catalog.ts'
import type { BackupTable } from './catalog.ts'
import { ending, tableHeader } from './backup-content.ts'
import type { ContentReader, Manifest } from './backup-content.ts'

/**
 * Loads the content of a backup, after its manifest was read, into an empty database, in one transaction. `beforeCommit` runs last. Returns
 * the numbers of rows.
 */
export async function loadContent(
  session: ClientBase,
  content: ContentReader,
  manifest: Manifest,
  beforeCommit: () => void,
): Promise<Record<string, number>> {
  await session.query('BEGIN')
  try {
    // A service that starts at the same time waits for this lock, which COMMIT releases, and then finds the tables.
    await session.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.migrations])
    const existing = await countTables(session)
    if (existing > 0) throw new BackupError('not_empty', `the database is not empty: it has ${existing} tables`)
    await createEmptySchema(session, manifest)
    await session.query('SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0')
    const rows = await loadTables(session, content)
    beforeCommit()
    await session.query('COMMIT')
    return rows
  } catch (error) {
    await session.query('ROLLBACK').catch(() => {})
    throw error
  }
}

async function loadTables(session: ClientBase, content: ContentReader): Promise<Record<string, number>> {
  const tables = await listTables(session)
  // Triggers would add audit entries, notifications and counts that the backup already contains. Foreign keys are still checked.
  await setTriggers(session, tables, 'DISABLE')
  const rows: Record<string, number> = {}
  for (const _ of tables) {
    const { table: name, columns } = await content.json(tableHeader)
    const table = tables.find((each) => each.name === name)
    const unknown = columns.find((column) => !table?.columns.includes(column))
    if (!table || unknown !== undefined) throw damaged(`this version has no table ${name}${unknown ? ` with a column ${unknown}` : ''}`)
    const list = columns.map((column) => `"${column}"`).join(', ')
    const copy = session.query(copyFrom(`COPY ${table.sqlName} (${list}) FROM STDIN`))
    await pipeline(Readable.from(content.rows()), copy)
    rows[name] = copy.rowCount
  }
  const { rows: expected, sequences } = await content.json(ending)
  await content.end()
  for (const [name, count] of Object.entries(expected))
    if (rows[name] !== count) throw damaged(`table ${name} has ${rows[name]} of ${count} rows`)
  for (const [name, value] of Object.entries(sequences))
    if (value !== null) await session.query('SELECT setval(quote_ident($1)::regclass, $2::bigint)', [name, value])
  await setTriggers(session, tables, 'ENABLE')
  if (tables.some(({ name }) => name === 'webhooks')) await continueWebhooks(session)
  return rows
}

/**
 * Moves webhooks to the time of the restore, because their positions belong to another database server. By its default, the transaction of
 * their positions and of all restored audit entries is that of this restore.
 */
async function continueWebhooks(session: ClientBase): Promise<void> {
  await session.query('DELETE FROM webhook_retries')
  await session.query(
    `UPDATE webhooks SET events_since = now(), position_at = now(), position_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff', position_part = 0,
       worker = NULL, worked_until = NULL`,
  )
}

async function setTriggers(session: ClientBase, tables: readonly BackupTable[], action: 'DISABLE' | 'ENABLE'): Promise<void> {
  for (const { sqlName } of tables) await session.query(`ALTER TABLE ${sqlName} ${action} TRIGGER USER`)
}

// The table as Prisma's schema engine creates it, with the column that src/database/compatibility.ts adds.
const migrationsTable = `CREATE TABLE _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL,
  logs TEXT, rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0,
  readable_by TEXT
)`

/**
 * Creates the tables as they were when the backup was written, in the transaction of `session`. The schema engine would use a transaction
 * for each migration. Throws for migrations that this version does not have.
 */
async function createEmptySchema(session: ClientBase, { migrations, queues }: Manifest, folder = prismaFolder): Promise<void> {
  const scripts = new Map((await readMigrations(folder)).map(({ name, sql }) => [name, sql]))
  const missing = migrations.find((name) => !scripts.has(name))
  if (missing !== undefined) {
    throw new BackupError('newer_backup', `the backup was written by a newer version of the service: it has the migration ${missing}`)
  }
  await session.query(migrationsTable)
  for (const name of migrations) await session.query(scripts.get(name) ?? '')
  if (queues.length === 0) return
  await session.query(withoutTransaction(getConstructionPlans(queueSchema, { createSchema: true })))
  // The service sets the options of its queues when it starts.
  for (const name of queues) await session.query(`SELECT ${queueSchema}.create_queue($1, '{"policy": "standard"}')`, [name])
}

/** Returns pg-boss's script without its transaction statements, so that it becomes part of this transaction. */
function withoutTransaction(script: string): string {
  const inner = /^\s*BEGIN;(.*)COMMIT;\s*$/s.exec(script)?.[1]
  if (inner === undefined) throw new Error('the script of pg-boss is not one transaction')
  return inner
}

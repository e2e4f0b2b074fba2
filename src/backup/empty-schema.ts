import type { ClientBase } from 'pg'
import { getConstructionPlans } from 'pg-boss'
import { BackupError } from './backup-error.ts'
import { prismaFolder, readMigrations } from '../database/migrations.ts'
import { queueSchema } from '../jobs/queue.ts'
import type { Manifest } from './content.ts'

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
export async function createEmptySchema(session: ClientBase, { migrations, queues }: Manifest, folder = prismaFolder): Promise<void> {
  const known = new Map((await readMigrations(folder)).map(({ name, sql }) => [name, sql]))
  const missing = migrations.find((name) => !known.has(name))
  if (missing !== undefined) {
    throw new BackupError('newer_backup', `the backup was written by a newer version of the service: it has the migration ${missing}`)
  }
  await session.query(migrationsTable)
  for (const name of migrations) await session.query(known.get(name) ?? '')
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

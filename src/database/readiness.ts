import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { ClientBase } from 'pg'
import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { prismaFolder } from './migrations.ts'

const selectWritable = `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only')::bool AS "isReadOnly"`
interface Writable {
  isStandby: boolean
  isReadOnly: boolean
}
const readWritable = statement<Writable, []>('readiness', selectWritable)

/** Why a database accepts no changes; null if it does. */
const readOnlyReason = ({ isStandby, isReadOnly }: Writable): string | null =>
  isStandby ? 'the server is a standby, which accepts no changes' : isReadOnly ? 'the database is read-only' : null

/** The same for the server of a session. */
export async function readOnlyReasonOf(session: ClientBase): Promise<string | null> {
  const { rows } = await session.query<Writable>(selectWritable)
  return rows[0] ? readOnlyReason(rows[0]) : null
}

/** Rejects if the database does not answer or accepts no changes, for example after a fail-over to another server. */
export async function checkDatabase(pool: StatementPool): Promise<void> {
  const [row] = await readWritable(pool)
  const reason = row && readOnlyReason(row)
  if (reason) throw new Error(reason)
}

const missingMigrations = statement<{ name: string }, [names: readonly string[]]>(
  'missing_migrations',
  `SELECT name FROM unnest($1::text[]) AS name
   WHERE name NOT IN (SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL)`,
)

/** Rejects if the database lacks a migration of this version, for example after an old backup was restored. */
export async function checkMigrations(pool: StatementPool): Promise<void> {
  const names = await (expected ??= migrationNames())
  const missing = await missingMigrations(pool, names)
  if (missing.length > 0) throw new Error(`missing migrations: ${missing.map(({ name }) => name).join(', ')}`)
}

let expected: Promise<string[]> | undefined

async function migrationNames(): Promise<string[]> {
  const entries = await readdir(path.join(prismaFolder, 'migrations'), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

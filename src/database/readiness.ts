import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { ClientBase } from 'pg'
import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { readVersion } from '../config/version.ts'
import { canServe, readableBySql } from './compatibility.ts'
import { prismaFolder } from './migrations.ts'

const selectWritable = `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only')::bool AS "isReadOnly"`
interface Writable {
  isStandby: boolean
  isReadOnly: boolean
}
const readWritable = statement<Writable, []>('readiness', selectWritable)

/** Returns the reason why a database accepts no changes; null if it does. */
const readOnlyReason = ({ isStandby, isReadOnly }: Writable): string | null =>
  isStandby ? 'the server is a standby, which accepts no changes' : isReadOnly ? 'the database is read-only' : null

/** Returns this reason for the server of a session. */
export async function findReadOnlyReason(session: ClientBase): Promise<string | null> {
  const { rows } = await session.query<Writable>(selectWritable)
  return rows[0] ? readOnlyReason(rows[0]) : null
}

/** Rejects if the database does not respond or accepts no changes, for example after a fail-over to another server. */
export async function checkDatabase(pool: StatementPool): Promise<void> {
  const [row] = await readWritable(pool)
  const reason = row && readOnlyReason(row)
  if (reason) throw new Error(reason)
}

/** A migration that exists only in the database, or only in this version. */
interface Difference {
  name: string
  isApplied: boolean
  readableBy: string | null
}

const differences = statement<Difference, [names: readonly string[]]>(
  'differing_migrations',
  `SELECT coalesce(m.migration_name, e.name) AS name, m.migration_name IS NOT NULL AS "isApplied", ${readableBySql('m')} AS "readableBy"
   FROM (SELECT * FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) m
   FULL JOIN unnest($1::text[]) AS e (name) ON e.name = m.migration_name
   WHERE m.migration_name IS NULL OR e.name IS NULL ORDER BY 1`,
)

/**
 * Rejects if the database lacks a migration of this version, for example after an old backup was restored, or if a newer version applied one with
 * which this version cannot serve it.
 */
export async function checkMigrations(pool: StatementPool): Promise<void> {
  const { names, version } = await (expected ??= readExpected())
  const migrations = await differences(pool, names)
  const missing = migrations.filter(({ isApplied }) => !isApplied)
  const unknown = migrations.filter(({ isApplied, readableBy }) => isApplied && !canServe(version, readableBy))
  const getList = (migrations: readonly Difference[]) => migrations.map(({ name }) => name).join(', ')
  if (missing.length > 0) throw new Error(`missing migrations: ${getList(missing)}`)
  if (unknown.length > 0) throw new Error(`migrations of a newer version: ${getList(unknown)}`)
}

let expected: ReturnType<typeof readExpected> | undefined
const readExpected = async () => ({ names: await migrationNames(), version: await readVersion() })

async function migrationNames(): Promise<string[]> {
  const entries = await readdir(path.join(prismaFolder, 'migrations'), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

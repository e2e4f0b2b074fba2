import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { prismaFolder } from './migrations.ts'

const answer = statement<object, []>('readiness', 'SELECT 1')

/** Rejects if the database does not answer. */
export const checkDatabase = (pool: StatementPool): Promise<unknown> => answer(pool)

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

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { applyMigrations } from '../../../src/database/apply-migrations.ts'
import { prismaFolder } from '../../../src/database/migrations.ts'
import { createDatabase } from './database.ts'

const quiet = { info: () => {}, warn: () => {} }

/** A database as it was before a migration, for the duration of a test. `upgrade` applies that migration and all that follow. */
export async function createDatabaseBefore(migration: string): Promise<{ pool: pg.Pool; upgrade(): Promise<unknown> }> {
  const database = await createDatabase({ migrated: false })
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-prisma-'))
  const pool = new pg.Pool(database.poolConfig)
  onTestFinished(async () => {
    await pool.end()
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  cpSync(prismaFolder, folder, { recursive: true })
  for (const name of readdirSync(path.join(folder, 'migrations')))
    if (name >= migration && name !== 'migration_lock.toml') rmSync(path.join(folder, 'migrations', name), { recursive: true })
  await applyMigrations(database.poolConfig, quiet, folder)
  return { pool, upgrade: () => applyMigrations(database.poolConfig, quiet) }
}

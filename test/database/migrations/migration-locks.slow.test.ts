import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { applyMigrations } from '../../../src/database/apply-migrations.ts'
import { prismaFolder } from '../../../src/database/migrations.ts'
import { holdLocks, lockWaiters } from '../../support/processes/locks.ts'
import { useDatabase } from '../../support/service/database.ts'
import { isFull } from '../../support/service/full.ts'
import { waitFor } from '../../support/service/wait.ts'

const database = useDatabase()

// Waits for a real time limit of three seconds.
test.runIf(isFull)('a migration that waits for a lock lets other statements pass, and is applied when the lock is free', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-migrations-'))
  const pool = new pg.Pool(database.poolConfig)
  onTestFinished(async () => {
    await pool.end()
    rmSync(folder, { recursive: true })
  })
  cpSync(path.join(prismaFolder, 'schema.prisma'), path.join(folder, 'schema.prisma'))
  cpSync(path.join(prismaFolder, 'migrations'), path.join(folder, 'migrations'), { recursive: true })
  const migration = path.join(folder, 'migrations', '20990101000000_motto')
  mkdirSync(migration)
  writeFileSync(path.join(migration, 'migration.sql'), 'ALTER TABLE teams ADD COLUMN motto text')

  const reader = await holdLocks(pool, 'SELECT FROM teams')
  const applied = applyMigrations(database.poolConfig, { info() {}, warn() {} }, folder)
  await waitFor(async () => (await lockWaiters(pool)) === 1)
  // Behind the migration, which waits for the reader.
  expect((await pool.query('SELECT FROM teams')).rowCount).toBe(0)
  await reader.commit()
  expect(await applied).toEqual(['20990101000000_motto'])
})

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { applyMigrations } from '../../../src/database/apply-migrations.ts'
import { prismaFolder } from '../../../src/database/migrations.ts'
import { createDatabase } from '../../support/service/database.ts'
import type { TestDatabase } from '../../support/service/database.ts'
import { waitFor } from '../../support/service/wait.ts'

// The indexes of a migration on a table of 20 MB (docs/operations/upgrade.md#large-databases).

const name = '20990101000000_indexes'
const indexes = ['audit_entries_subject_name_test', 'audit_entries_actor_name_test']
const sql = `CREATE INDEX "${indexes[0]}" ON "audit_entries" ("subject_name", "at");
CREATE INDEX "${indexes[1]}"
    ON "audit_entries" ("actor_name") WHERE "actor_name" <> 'Nobody';
ALTER TABLE "audit_entries" ADD COLUMN "added" text;
CREATE INDEX "audit_entries_added_test" ON "audit_entries" ("added");
`
let database: TestDatabase
let folder: string
let pool: pg.Pool
let lines: string[]
const log = { info: (line: string) => lines.push(line), warn: () => {} }

beforeEach(async () => {
  lines = []
  database = await createDatabase()
  pool = new pg.Pool(database.poolConfig)
  pool.on('error', () => {})
  folder = mkdtempSync(path.join(tmpdir(), 'team-account-migrations-'))
  for (const each of ['schema.prisma', 'migrations']) cpSync(path.join(prismaFolder, each), path.join(folder, each), { recursive: true })
  mkdirSync(path.join(folder, 'migrations', name))
  writeFileSync(path.join(folder, 'migrations', name, 'migration.sql'), sql)
  await addEntries(40_000)
})
afterEach(async () => {
  await pool.end()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const addEntries = (count: number, executor: pg.Pool | pg.PoolClient = pool) =>
  executor.query(
    `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, request_id, subject, subject_name)
     SELECT now(), 'createUser', 'operator', 'Operator', 'operator', '', n, repeat('x', 400) FROM generate_series(1, $1::int) n`,
    [count],
  )
const migrate = () => applyMigrations(database.poolConfig, log, folder)
const isBuilding = async () => {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`,
  )
  return rowCount === 1
}
const validIndexes = async () => {
  const { rows } = await pool.query(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indisvalid AND c.relname LIKE '%_test' ORDER BY 1`,
  )
  return rows.map((row) => row.name)
}
const all = [...indexes, 'audit_entries_added_test'].toSorted()

test('are built while other transactions write, and the migration is recorded once', async () => {
  const writer = await pool.connect()
  await writer.query('BEGIN')
  await addEntries(1, writer)
  const applied = Promise.all([migrate(), migrate()])
  // The build waits for the writer. Others write meanwhile, which CREATE INDEX would prevent.
  await waitFor(isBuilding)
  const other = await pool.connect()
  await other.query('SET lock_timeout = 1000')
  await addEntries(10, other)
  other.release()
  await writer.query('COMMIT')
  writer.release()
  expect((await applied).flat()).toEqual([name])
  expect(await validIndexes()).toEqual(all)
  expect(lines).toEqual([...indexes.map((index) => `built index ${index}`), `applied migration ${name}`])
})

test('are built by the next start if a build was interrupted, which keeps those that are complete', async () => {
  const writer = await pool.connect()
  await writer.query('BEGIN')
  await addEntries(1, writer)
  const failure = migrate().catch(String)
  await waitFor(isBuilding)
  await pool.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'`)
  expect(await failure).toContain(`the index ${indexes[0]} cannot be built`)
  expect(await validIndexes()).toEqual([])
  await writer.query('COMMIT')
  writer.release()
  await pool.query(`CREATE INDEX "${indexes[1]}" ON "audit_entries" ("actor_name") WHERE "actor_name" <> 'Nobody'`)
  expect(await migrate()).toEqual([name])
  expect(await validIndexes()).toEqual(all)
  expect(lines).toEqual([`built index ${indexes[0]}`, `applied migration ${name}`])
})

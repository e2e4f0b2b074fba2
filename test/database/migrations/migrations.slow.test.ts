import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { createMigration } from '../../../src/database/create-migration.ts'
import { applyMigrations, databaseDrift, migrationDifference, readMigrationStatus } from '../../../src/database/apply-migrations.ts'
import { prismaFolder, readMigrations } from '../../../src/database/migrations.ts'
import { openSchemaEngine } from '../../../src/database/schema-engine.ts'
import { createDatabase } from '../../support/service/database.ts'
import type { TestDatabase } from '../../support/service/database.ts'
import { startDatabaseProcess } from '../../support/processes/database/start-database-process.ts'
import { repetitions } from '../../support/service/full.ts'

const quiet = { info: () => {}, warn: () => {} }
let database: TestDatabase
let folder: string

afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Copies prisma/ to a folder whose files a test can change. */
function copyPrisma(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'team-account-prisma-'))
  for (const name of ['schema.prisma', 'migrations']) {
    cpSync(path.join(prismaFolder, name), path.join(copy, name), { recursive: true })
  }
  return copy
}

describe('on a migrated database', () => {
  beforeEach(async () => {
    database = await createDatabase()
    folder = copyPrisma()
  })

  test('the migrations, schema.prisma and the database describe the same schema', async () => {
    expect(await migrationDifference(database.poolConfig)).toBeNull()
    expect(await databaseDrift(database.poolConfig)).toBeNull()
    expect(await createMigration(database.poolConfig, 'nothing')).toBeNull()
  })

  test('a column that was added manually is reported as drift, and a removed field as a difference', async () => {
    await withSession(database.poolConfig, (session) => session.query('ALTER TABLE teams ADD COLUMN motto text'))
    expect(await databaseDrift(database.poolConfig)).toContain('DROP COLUMN "motto"')
    const schema = path.join(folder, 'schema.prisma')
    writeFileSync(schema, readFileSync(schema, 'utf8').replace(/^ *timezone .*\n/m, ''))
    expect(await migrationDifference(database.poolConfig, folder)).toContain('DROP COLUMN "timezone"')
  })

  test('a new field results in a migration, which is applied once and recorded', async () => {
    const schema = path.join(folder, 'schema.prisma')
    writeFileSync(schema, readFileSync(schema, 'utf8').replace('model Team {', 'model Team {\n  motto String?'))
    const now = new Date('2027-01-02T03:04:05.678Z')
    const name = await createMigration(database.poolConfig, 'team_motto', { folder, now })
    expect(name).toBe('20270102030405_team_motto')
    expect(await readMigrationStatus(database.poolConfig, folder)).toMatchObject({ pending: [name] })
    expect(await applyMigrations(database.poolConfig, quiet, folder)).toEqual([name])
    expect(await applyMigrations(database.poolConfig, quiet, folder)).toEqual([])
    expect(await databaseDrift(database.poolConfig, folder)).toBeNull()
    expect(await readMigrationStatus(database.poolConfig)).toMatchObject({ pending: [], unknown: [name] })
  })

  test('the name of a migration can have hyphens, and an error says which names are possible', async () => {
    const schema = path.join(folder, 'schema.prisma')
    writeFileSync(schema, readFileSync(schema, 'utf8').replace('model Team {', 'model Team {\n  motto String?'))
    const options = { folder, now: new Date('2027-01-02T03:04:05.678Z') }
    await expect(createMigration(database.poolConfig, 'Team motto', options)).rejects.toThrow('must consist of lowercase words')
    expect(await createMigration(database.poolConfig, 'team-motto', options)).toBe('20270102030405_team_motto')
  })

  test('a migration that fails is rolled back together with its record, and the error contains the message of PostgreSQL', async () => {
    const broken = path.join(folder, 'migrations', '20990101000000_broken')
    mkdirSync(broken)
    const sql = `CREATE TABLE incomplete (); SELECT ';'; ALTER TABLE missing ADD COLUMN x int;`
    writeFileSync(path.join(broken, 'migration.sql'), sql)
    await expect(applyMigrations(database.poolConfig, quiet, folder)).rejects.toThrow(
      'migration 20990101000000_broken failed and was rolled back: relation "missing" does not exist',
    )
    const status = await readMigrationStatus(database.poolConfig, folder)
    expect(status).toMatchObject({ pending: ['20990101000000_broken'], failed: [] })
    expect(await databaseDrift(database.poolConfig)).toBeNull()
  })

  test('a migration that was edited after it was applied causes a warning', async () => {
    const [first] = await readMigrations(folder)
    writeFileSync(path.join(folder, 'migrations', first?.name ?? '', 'migration.sql'), `${first?.sql}-- changed\n`)
    const warnings: string[] = []
    await applyMigrations(database.poolConfig, { ...quiet, warn: (text) => warnings.push(text) }, folder)
    expect(warnings).toEqual([`migration ${first?.name} was edited after it was applied`])
  })

  test('a migration that Prisma recorded as started but not finished prevents all migrations', async () => {
    await withSession(database.poolConfig, (session) => session.query(`UPDATE _prisma_migrations SET finished_at = NULL`))
    await expect(applyMigrations(database.poolConfig, quiet)).rejects.toThrow('is recorded as started but not finished')
  })

  test('the schema engine of Prisma also reports no pending, failed or edited migration', async () => {
    const migrations = await readMigrations(folder)
    const { engine, close } = await openSchemaEngine(database.poolConfig, readFileSync(path.join(folder, 'schema.prisma'), 'utf8'))
    const diagnosis = await engine.diagnoseMigrationHistory({
      migrationsList: {
        baseDir: 'migrations',
        shadowDbInitScript: '',
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        migrationDirectories: migrations.map(({ name, sql }) => ({
          path: name,
          migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
        })),
      },
      optInToShadowDatabase: false,
      filters: { externalTables: [], externalEnums: [] },
    })
    await close()
    expect(diagnosis).toMatchObject({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    })
  })
})

describe('on an empty database', () => {
  beforeEach(async () => {
    database = await createDatabase({ migrated: false })
    folder = copyPrisma()
  })

  const count = repetitions({ short: 3, full: 8 })
  test(`${count} processes that start at the same time apply every migration exactly once`, async () => {
    const processes = Array.from({ length: count }, () => startDatabaseProcess('service', folder, { databaseUrl: database.url }))
    const opened = await Promise.all(processes.map(({ opened }) => opened))
    expect(opened.map(({ firstStart }) => firstStart)).toEqual(Array(count).fill(true))
    const applied = await readMigrations(prismaFolder)
    const messages = processes.flatMap(({ events }) => events.flatMap(({ info }) => (info?.includes('migration') ? [info] : [])))
    expect(messages).toEqual([`created the tables: applied ${applied.length} migrations`])
    const pool = new pg.Pool(database.poolConfig)
    const { rows } = await pool.query('SELECT count(*)::int AS times FROM _prisma_migrations GROUP BY migration_name')
    await pool.end()
    expect(rows).toEqual(applied.map(() => ({ times: 1 })))
    await Promise.all(processes.map(({ stop }) => stop()))
  })
})

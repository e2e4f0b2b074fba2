import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withSession } from '../../src/database/connection.ts'
import { createMigration } from '../../src/database/create-migration.ts'
import { applyMigrations, databaseDrift, migrationDifference, readMigrationStatus } from '../../src/database/migrate.ts'
import { prismaFolder, readMigrations } from '../../src/database/migrations.ts'
import { openSchemaEngine } from '../../src/database/schema-engine.ts'
import { createDatabase } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { startProcess } from '../support/processes.ts'

const quiet = { info: () => {}, warn: () => {} }
let database: TestDatabase
let folder: string

afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** A copy of prisma/ whose files a test may change. */
function copyPrisma(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'team-account-prisma-'))
  for (const name of ['schema.prisma', 'migrations']) {
    cpSync(path.join(prismaFolder, name), path.join(copy, name), { recursive: true })
  }
  return copy
}

describe('given a migrated database', () => {
  beforeEach(async () => {
    database = await createDatabase()
    folder = copyPrisma()
  })

  test('the migrations, schema.prisma and the database describe the same', async () => {
    expect(await migrationDifference(database.poolConfig)).toBeNull()
    expect(await databaseDrift(database.poolConfig)).toBeNull()
    expect(await createMigration(database.poolConfig, 'nothing')).toBeNull()
  })

  test('a column somebody adds by hand is drift, and a model that loses a field a difference', async () => {
    await withSession(database.poolConfig, (session) => session.query('ALTER TABLE teams ADD COLUMN motto text'))
    expect(await databaseDrift(database.poolConfig)).toContain('DROP COLUMN "motto"')
    const schema = path.join(folder, 'schema.prisma')
    writeFileSync(schema, readFileSync(schema, 'utf8').replace(/^ *timezone .*\n/m, ''))
    expect(await migrationDifference(database.poolConfig, folder)).toContain('DROP COLUMN "timezone"')
  })

  test('a new field becomes a migration, which is applied once and recorded', async () => {
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

  test('a migration that fails is undone, record and all, and says what PostgreSQL said', async () => {
    const broken = path.join(folder, 'migrations', '20990101000000_broken')
    mkdirSync(broken)
    const sql = `CREATE TABLE half (); SELECT ';'; ALTER TABLE missing ADD COLUMN x int;`
    writeFileSync(path.join(broken, 'migration.sql'), sql)
    await expect(applyMigrations(database.poolConfig, quiet, folder)).rejects.toThrow(
      'migration 20990101000000_broken failed and was undone: relation "missing" does not exist',
    )
    const status = await readMigrationStatus(database.poolConfig, folder)
    expect(status).toMatchObject({ pending: ['20990101000000_broken'], failed: [] })
    expect(await databaseDrift(database.poolConfig)).toBeNull()
  })

  test('a migration that was changed after it was applied is named', async () => {
    const [first] = await readMigrations(folder)
    writeFileSync(path.join(folder, 'migrations', first?.name ?? '', 'migration.sql'), `${first?.sql}-- changed\n`)
    const warnings: string[] = []
    await applyMigrations(database.poolConfig, { ...quiet, warn: (text) => warnings.push(text) }, folder)
    expect(warnings).toEqual([`migration ${first?.name} was changed after it was applied`])
  })

  test('one that Prisma recorded as begun and not finished stops everything', async () => {
    await withSession(database.poolConfig, (session) => session.query(`UPDATE _prisma_migrations SET finished_at = NULL`))
    await expect(applyMigrations(database.poolConfig, quiet)).rejects.toThrow('is recorded as begun and not finished')
  })

  test("Prisma's own engine agrees that nothing is pending, failed or edited", async () => {
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

describe('given an empty database', () => {
  beforeEach(async () => {
    database = await createDatabase({ migrated: false })
    folder = copyPrisma()
  })

  test('of eight processes that start at once each finds it migrated, and every migration was applied once', async () => {
    const processes = Array.from({ length: 8 }, () => startProcess('service', folder, { databaseUrl: database.url }))
    const opened = await Promise.all(processes.map((each) => each.opened))
    expect(opened.map(({ firstStart }) => firstStart)).toEqual(Array(8).fill(true))
    const applied = processes.flatMap(({ story }) => story.filter(({ info }) => info?.startsWith('applied')))
    expect(applied.length).toBe((await readMigrations(prismaFolder)).length)
    const pool = new pg.Pool(database.poolConfig)
    const { rows } = await pool.query('SELECT count(*)::int AS times FROM _prisma_migrations GROUP BY migration_name')
    await pool.end()
    expect(rows).toEqual(applied.map(() => ({ times: 1 })))
    await Promise.all(processes.map((each) => each.stop()))
  })
})

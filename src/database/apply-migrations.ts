import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DiffTarget, MigrationDirectory, MigrationList, SchemaEngine, SchemasContainer } from '@prisma/schema-engine-wasm'
import type pg from 'pg'
import { advisoryLocks } from '../../prisma/advisory-locks.ts'
import { getErrorMessage } from '../config/error-message.ts'
import { readVersion } from '../config/version.ts'
import { buildIndexes } from './build-indexes.ts'
import { recordCompatibility } from './compatibility.ts'
import { withSession } from './connection.ts'
import type { DatabaseLog } from './embedded/postgres-log.ts'
import { migrationStatus, prismaFolder, readMigrations } from './migrations.ts'
import type { Migration, MigrationStatus } from './migrations.ts'
import { openSchemaEngine } from './schema-engine.ts'
import type { OpenSchemaEngine } from './schema-engine.ts'
import { untilAvailable } from './until-available.ts'

const filters = { externalTables: [], externalEnums: [] }

/**
 * Applies pending migrations like `prisma migrate deploy` and returns their names. If several processes start at once, one applies them and
 * the others wait. Each migration commits together with its record, so a killed process leaves none partially applied. Indexes on large
 * tables are built before, outside of a transaction. A migration that waits for a lock for three seconds is rolled back, so that other
 * statements can run, and repeated for half a minute.
 */
export async function applyMigrations(connection: pg.ClientConfig, log: DatabaseLog, folder = prismaFolder): Promise<string[]> {
  return withSession(connection, async (session) => {
    await lockMigrations(session)
    const migrations = await readMigrations(folder)
    const version = await readVersion()
    const status = await migrationStatus(session, migrations, version)
    refuseFailed(status)
    refuseUnknown(status, version)
    for (const name of status.edited) log.warn(`migration ${name} was edited after it was applied`)
    for (const name of status.newer) log.warn(`migration ${name} was applied by a newer version of the service`)
    const isNew = status.applied.length === 0 && status.pending.length > 0
    const schemaEngine = status.pending.length > 0 ? await openSchemaEngine(connection, await readDatamodel(folder)) : undefined
    try {
      for (const name of status.pending) {
        const upTo = migrations.slice(0, migrations.findIndex((each) => each.name === name) + 1)
        const migration = upTo.at(-1)
        if (!isNew && migration) await buildIndexes(connection, session, migration, log)
        await applyLast(schemaEngine, upTo)
        if (!isNew) log.info(`applied migration ${name}`)
      }
      if (isNew) log.info(`created the tables: applied ${status.pending.length} migrations`)
    } finally {
      await schemaEngine?.close()
    }
    await recordCompatibility(session)
    return status.pending
  })
}

/**
 * Waits until no other process applies migrations. It polls, because a statement that waits for the lock would be a transaction for which
 * CREATE INDEX CONCURRENTLY waits in turn. The lock is not Prisma's own (72707369), which the engine takes itself.
 */
async function lockMigrations(session: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await session.query<{ isLocked: boolean }>('SELECT pg_try_advisory_lock($1) AS "isLocked"', [advisoryLocks.migrations])
    if (rows[0]?.isLocked) return
    await pause(lockPauseMilliseconds)
  }
}

const lockPauseMilliseconds = 100

/** Returns the equivalent of `prisma migrate status`; changes nothing. */
export async function readMigrationStatus(connection: pg.ClientConfig, folder = prismaFolder): Promise<MigrationStatus> {
  return withSession(connection, async (session) => migrationStatus(session, await readMigrations(folder), await readVersion()))
}

/** Returns SQL that changes the result of all migrations into schema.prisma; null if they describe the same database. */
export async function migrationDifference(connection: pg.ClientConfig, folder = prismaFolder): Promise<string | null> {
  const migrations = await readMigrations(folder)
  return withEngine(connection, folder, async ({ engine }, datamodel) => {
    const from: DiffTarget = migrations.length > 0 ? { tag: 'migrations', ...getList(migrations) } : { tag: 'empty' }
    return difference(engine, from, { tag: 'schemaDatamodel', ...datamodel })
  })
}

/** Returns SQL that changes the database into schema.prisma; null if the database was not altered by hand. */
export async function databaseDrift(connection: pg.ClientConfig, folder = prismaFolder): Promise<string | null> {
  return withEngine(connection, folder, async ({ engine }, datamodel) => {
    const from: DiffTarget = { tag: 'schemaDatasource', ...datamodel, configDir: '.' }
    return difference(engine, from, { tag: 'schemaDatamodel', ...datamodel })
  })
}

async function difference(engine: SchemaEngine, from: DiffTarget, to: DiffTarget): Promise<string | null> {
  const { exitCode, stdout } = await engine.diff({ from, to, script: true, exitCode: true, filters })
  return exitCode === 0 ? null : stdout
}

/** Applies the last of `migrations`; the engine requires the list of all migrations up to it. */
async function applyLast(schemaEngine: OpenSchemaEngine | undefined, migrations: Migration[]): Promise<void> {
  try {
    await untilAvailable(async () =>
      schemaEngine?.inTransaction(() => schemaEngine.engine.applyMigrations({ migrationsList: getList(migrations), filters })),
    )
  } catch (cause) {
    throw new Error(`migration ${migrations.at(-1)?.name} failed and was rolled back: ${getErrorMessage(cause)}`, { cause })
  }
}

function refuseFailed({ failed }: MigrationStatus): void {
  if (failed.length === 0) return
  throw new Error(`migration ${failed[0]} is recorded as started but not finished: run doctor, which says what to do`)
}

/** Refuses a newer version's migrations, which may need missing rules, for example that a session must not open every team. */
function refuseUnknown({ unknown }: MigrationStatus, version: string): void {
  const last = unknown.at(-1)
  if (last === undefined) return
  throw new Error(
    `a newer version of the service has migrated the database (${last}), and version ${version} cannot serve it: start the newer version, or restore the backup that was written before the upgrade`,
  )
}

async function withEngine<T>(
  connection: pg.ClientConfig,
  folder: string,
  work: (schemaEngine: OpenSchemaEngine, datamodel: SchemasContainer) => Promise<T>,
): Promise<T> {
  const datamodel = await readDatamodel(folder)
  const schemaEngine = await openSchemaEngine(connection, datamodel)
  try {
    return await work(schemaEngine, { files: [{ path: 'schema.prisma', content: datamodel }] })
  } finally {
    await schemaEngine.close()
  }
}

function readDatamodel(folder: string): Promise<string> {
  return readFile(path.join(folder, 'schema.prisma'), 'utf8')
}

function getList(migrations: Migration[]): MigrationList {
  const directory = ({ name, sql }: Migration): MigrationDirectory => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
  })
  return {
    baseDir: 'migrations',
    shadowDbInitScript: '',
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    migrationDirectories: migrations.map(directory),
  }
}

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { DiffTarget, MigrationDirectory, MigrationList, SchemaEngine, SchemasContainer } from '@prisma/schema-engine-wasm'
import type pg from 'pg'
import { advisoryLocks } from '../../prisma/advisory-locks.ts'
import { messageOf } from '../failure.ts'
import { withSession } from './connection.ts'
import type { DatabaseLog } from './log.ts'
import { migrationStatus, prismaFolder, readMigrations } from './migrations.ts'
import type { Migration, MigrationStatus } from './migrations.ts'
import { openSchemaEngine } from './schema-engine.ts'
import type { OpenSchemaEngine } from './schema-engine.ts'

const filters = { externalTables: [], externalEnums: [] }

/**
 * Applies what is pending, as `prisma migrate deploy` does, and answers the names. Of several processes one does
 * it and the others wait and find it done. Each migration and the record of it commit together, so a process
 * killed on the way leaves nothing half-applied; a migration can therefore not use CREATE INDEX CONCURRENTLY.
 */
export async function applyMigrations(connection: pg.ClientConfig, log: DatabaseLog, folder = prismaFolder): Promise<string[]> {
  return withSession(connection, async (session) => {
    // Not Prisma's own key (72707369), which its engine takes inside.
    await session.query('SELECT pg_advisory_lock($1)', [advisoryLocks.migrations])
    const migrations = await readMigrations(folder)
    const status = await migrationStatus(session, migrations)
    refuseFailed(status)
    for (const name of status.edited) log.warn(`migration ${name} was changed after it was applied`)
    for (const name of status.unknown) log.warn(`migration ${name} was applied by a newer version of the service`)
    const schemaEngine = status.pending.length > 0 ? await openSchemaEngine(connection, await readDatamodel(folder)) : undefined
    try {
      for (const name of status.pending) {
        await applyOne(schemaEngine, migrations.slice(0, migrations.findIndex((each) => each.name === name) + 1))
        log.info(`applied migration ${name}`)
      }
    } finally {
      await schemaEngine?.close()
    }
    return status.pending
  })
}

/** `prisma migrate status`; changes nothing. */
export async function readMigrationStatus(connection: pg.ClientConfig, folder = prismaFolder): Promise<MigrationStatus> {
  return withSession(connection, async (session) => migrationStatus(session, await readMigrations(folder)))
}

/** SQL that leads from what the migrations build to schema.prisma; null when they describe the same database. */
export async function migrationDifference(connection: pg.ClientConfig, folder = prismaFolder): Promise<string | null> {
  const migrations = await readMigrations(folder)
  return withEngine(connection, folder, async ({ engine }, datamodel) => {
    const from: DiffTarget = migrations.length > 0 ? { tag: 'migrations', ...listOf(migrations) } : { tag: 'empty' }
    return difference(engine, from, { tag: 'schemaDatamodel', ...datamodel })
  })
}

/** SQL that leads from the live database to schema.prisma; null when nobody has altered it by hand. */
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

async function applyOne(schemaEngine: OpenSchemaEngine | undefined, upToIt: Migration[]): Promise<void> {
  try {
    await schemaEngine?.inTransaction(() => schemaEngine.engine.applyMigrations({ migrationsList: listOf(upToIt), filters }))
  } catch (cause) {
    throw new Error(`migration ${upToIt.at(-1)?.name} failed and was undone: ${messageOf(cause)}`, { cause })
  }
}

function refuseFailed({ failed }: MigrationStatus): void {
  if (failed.length === 0) return
  throw new Error(`migration ${failed[0]} is recorded as begun and not finished: see prisma migrate resolve`)
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

function listOf(migrations: Migration[]): MigrationList {
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

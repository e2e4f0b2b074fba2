import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClientBase } from 'pg'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { canServe, readableBySql } from './compatibility.ts'

/** A migration in Prisma's folder layout: `<timestamp>_<name>/migration.sql`. */
export interface Migration {
  name: string
  sql: string
  /** SHA-256 of the text in hex, as Prisma records it. */
  checksum: string
}

/** Names of migrations, from comparing the folder with the records in the database. */
export interface MigrationStatus {
  applied: string[]
  pending: string[]
  /** Migrations that were applied, and whose file was changed afterwards. */
  edited: string[]
  /** Migrations that Prisma's own tools started and that are neither finished nor marked as rolled back. */
  failed: string[]
  /** Migrations in the database but not in the folder: a newer version applied them, and this one cannot serve the database. */
  unknown: string[]
  /** Unknown migrations with which this version can serve the database, as the newer version recorded. */
  newer: string[]
}

/** Folder of schema.prisma and migrations/. */
export const prismaFolder = path.join(projectFolder, 'prisma')

/** Returns all migrations of a folder, in the order in which they are applied. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const migrationsFolder = path.join(folder, 'migrations')
  const entries = await readdir(migrationsFolder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(path.join(migrationsFolder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Compares with `_prisma_migrations` in SQL, so that a start without pending migrations does not load the 3 MB engine. */
export async function migrationStatus(session: ClientBase, migrations: Migration[], version: string): Promise<MigrationStatus> {
  const recorded = await recordedMigrations(session)
  const finished = new Map(recorded.filter((row) => row.is_finished).map((row) => [row.name, row.checksum]))
  const names = new Set(migrations.map(({ name }) => name))
  const later = recorded.filter((row) => row.is_finished && !names.has(row.name))
  const formatNames = (isServed: boolean) => later.filter((row) => canServe(version, row.readable_by) === isServed).map(({ name }) => name)
  return {
    applied: [...finished.keys()].filter((name) => names.has(name)),
    pending: migrations.filter(({ name }) => !finished.has(name)).map(({ name }) => name),
    edited: migrations.filter(({ name, checksum }) => (finished.get(name) ?? checksum) !== checksum).map(({ name }) => name),
    failed: recorded.filter((row) => !row.is_finished).map((row) => row.name),
    unknown: formatNames(false),
    newer: formatNames(true),
  }
}

interface Recorded {
  name: string
  checksum: string
  is_finished: boolean
  readable_by: string | null
}

async function recordedMigrations(session: ClientBase): Promise<Recorded[]> {
  const { rows: tables } = await session.query(`SELECT to_regclass('_prisma_migrations') AS oid`)
  if (tables[0]?.oid === null) return []
  const { rows } = await session.query<Recorded>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS is_finished, ${readableBySql('m')} AS readable_by
       FROM _prisma_migrations m WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
  )
  return rows
}

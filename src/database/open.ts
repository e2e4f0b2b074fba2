import type pg from 'pg'
import { advisoryLocks } from '../../prisma/advisory-locks.ts'
import type { ServicePoolConfig } from '../../prisma/connection/database.ts'
import { hasCode } from '../config/error-message.ts'
import { clusterFolder } from './embedded/folder.ts'
import { superviseCluster } from './embedded/supervisor.ts'
import type { Role } from './embedded/embedded-postgres.ts'
import { embeddedConnection, poolConfigFor, withDatabase, withSession } from './connection.ts'
import type { Connection } from './connection.ts'
import type { DatabaseLog } from './embedded/postgres-log.ts'
import { externalConnection, openExternal } from './external.ts'
import type { ExternalSettings } from './external.ts'
import { applyMigrations } from './apply-migrations.ts'

/** The settings that this module reads. */
export interface DatabaseSettings extends ExternalSettings {
  dataDir: string
  /** Number of connections of the pool. */
  databasePool: number
}

export interface OpenDatabase {
  poolConfig: ServicePoolConfig
  /** The connection without time limits. */
  connection: Connection
  /** True if the database has no user, team or audit entry. True in several processes if they start at once. */
  firstStart: boolean
  /** Sets the address in the error of a second service on this data folder. */
  announce(address: string): Promise<void>
  /** Call after the pools are closed. The last process to close an embedded database stops it. */
  close(): Promise<void>
}

export interface OpenOptions {
  /** False leaves pending migrations unapplied. */
  migrate?: boolean
  /** Called when the embedded database was lost and another service has taken over, so that this one must end. */
  onEvicted?: (error: Error) => void
}

// The database is not `postgres`, which holds the locks of the cluster, so it can be dropped and restored.
const databaseName = 'team_account_service'

/**
 * Opens a migrated database: finds, creates, starts or adopts the embedded cluster, or connects to `databaseUrl`.
 * Throws `ServiceRunningError` for a second service on the data folder.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  role: Role,
  log: DatabaseLog,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  const external = externalConnection(settings)
  const source = external ? await openExternal(external, role, log) : await openEmbedded(settings.dataDir, role, log, options.onEvicted)
  try {
    if (options.migrate ?? true) await applyMigrations(source.connection, log)
    return {
      poolConfig: poolConfigFor(source.connection, role, settings.databasePool),
      connection: source.connection,
      firstStart: await withSession(source.connection, isEmpty),
      announce: source.announce,
      close: source.close,
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

/** Runs `work` if the database is empty. If several processes start at the same time, one runs it and the others get undefined. */
export const onFirstStart = <Result>(connection: pg.ClientConfig, work: () => Promise<Result>): Promise<Result | undefined> =>
  withSession(connection, async (session) => {
    await session.query('SELECT pg_advisory_lock($1)', [advisoryLocks.firstStart])
    return (await isEmpty(session)) ? work() : undefined
  })

async function openEmbedded(dataDir: string, role: Role, log: DatabaseLog, onEvicted: (error: Error) => void = endProcess) {
  const cluster = await clusterFolder(dataDir, log)
  const supervisor = await superviseCluster(cluster, { role, holder: `pid ${process.pid}`, log }, onEvicted)
  const maintenance = embeddedConnection(supervisor.host, 'postgres')
  await withSession(maintenance, createDatabase)
  return {
    connection: withDatabase(maintenance, databaseName),
    announce: (address: string) => supervisor.announce(`pid ${process.pid}, ${address}`),
    close: supervisor.leave,
  }
}

async function createDatabase(session: pg.Client): Promise<void> {
  const { rowCount } = await session.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName])
  if (rowCount) return
  try {
    await session.query(`CREATE DATABASE ${databaseName} TEMPLATE template0`)
  } catch (error) {
    // Another process created it first. The code is 42P04 if it had finished, 23505 if both ran at the same time.
    if (!hasCode(error, '42P04', '23505')) throw error
  }
}

async function isEmpty(session: pg.Client): Promise<boolean> {
  const { rows: tables } = await session.query(`SELECT to_regclass('audit_entries') AS oid`)
  if (tables[0]?.oid === null) return true
  const { rows } = await session.query(
    `SELECT NOT (EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM teams) OR EXISTS (SELECT FROM audit_entries)) AS is_empty`,
  )
  return rows[0]?.is_empty === true
}

function endProcess(error: Error): never {
  throw error
}

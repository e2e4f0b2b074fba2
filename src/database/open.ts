import type pg from 'pg'
import { advisoryLocks } from '../../prisma/advisory-locks.ts'
import { hasCode, messageOf } from '../failure.ts'
import { clusterFolder } from './cluster-folder.ts'
import { keepCluster } from './cluster-keeper.ts'
import type { Role } from './cluster.ts'
import { poolConfigFor, socketConnection, urlConnection, withDatabase, withSession } from './connection.ts'
import type { DatabaseLog } from './log.ts'
import { applyMigrations } from './migrate.ts'
import { socketPort } from './socket-folder.ts'

/** The settings this module needs; the service's configuration has them. */
export interface DatabaseSettings {
  /** A PostgreSQL given from outside; undefined for the embedded one. */
  databaseUrl: string | undefined
  dataDir: string
  /** Connections of the pool. */
  databasePool: number
}

export interface OpenDatabase {
  poolConfig: pg.PoolConfig
  /** Nothing has ever been stored: no user, no team, no audit entry. Several processes may see it at once. */
  firstStart: boolean
  /** Does `work` if nothing has ever been stored, in one of the processes that start at once; undefined in others. */
  onFirstStart<Result>(work: () => Promise<Result>): Promise<Result | undefined>
  /** Tells a second service on this data folder where this one can be reached, once that is known. */
  announce(address: string): Promise<void>
  /** Call after the pools are closed. The last one to close an embedded database stops it. */
  close(): Promise<void>
}

export interface OpenOptions {
  /** False leaves pending migrations pending, to look at them. */
  migrate?: boolean
  /** The embedded database went away and another service has taken the place: this one has to end. */
  onEvicted?: (error: Error) => void
}

// Not `postgres`, which holds the locks of the cluster: a database of its own can be dropped and restored.
const databaseName = 'team_account_service'

/**
 * Everything between the start of a process and a migrated database: finds, makes, starts or adopts the embedded
 * cluster, or goes where `databaseUrl` says. Throws `ServiceRunningError` for a second service on the data folder.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  role: Role,
  log: DatabaseLog,
  options: OpenOptions = {},
): Promise<OpenDatabase> {
  const source = settings.databaseUrl
    ? await openGiven(settings.databaseUrl)
    : await openEmbedded(settings.dataDir, role, log, options.onEvicted)
  try {
    if (options.migrate ?? true) await applyMigrations(source.connection, log)
    return {
      poolConfig: poolConfigFor(source.connection, role, settings.databasePool),
      firstStart: await withSession(source.connection, isUntouched),
      onFirstStart: (work) =>
        withSession(source.connection, async (session) => {
          await session.query('SELECT pg_advisory_lock($1)', [advisoryLocks.firstStart])
          return (await isUntouched(session)) ? work() : undefined
        }),
      announce: source.announce,
      close: source.close,
    }
  } catch (error) {
    await source.close()
    throw error
  }
}

async function openGiven(databaseUrl: string) {
  const connection = urlConnection(databaseUrl)
  try {
    await withSession(connection, refuseOldServer)
  } catch (cause) {
    throw new Error(`DATABASE_URL: ${messageOf(cause)}`, { cause })
  }
  return { connection, announce: async () => {}, close: async () => {} }
}

async function refuseOldServer(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ version: string; is_old: boolean }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int < 150000 AS is_old`,
  )
  if (rows[0]?.is_old) throw new Error(`PostgreSQL ${rows[0].version} is there, and 15 or newer is needed`)
}

async function openEmbedded(dataDir: string, role: Role, log: DatabaseLog, onEvicted: (error: Error) => void = endProcess) {
  const cluster = await clusterFolder(dataDir, log)
  const keeper = await keepCluster(cluster, { role, holder: `pid ${process.pid}`, log }, onEvicted)
  const maintenance = socketConnection(keeper.host, socketPort, 'postgres')
  await withSession(maintenance, createDatabase)
  return {
    connection: withDatabase(maintenance, databaseName),
    announce: (address: string) => keeper.announce(`pid ${process.pid}, ${address}`),
    close: keeper.leave,
  }
}

async function createDatabase(session: pg.Client): Promise<void> {
  const { rowCount } = await session.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName])
  if (rowCount) return
  try {
    await session.query(`CREATE DATABASE ${databaseName} TEMPLATE template0`)
  } catch (error) {
    // Another process was faster: 42P04 when it had finished, 23505 when both were on their way.
    if (!hasCode(error, '42P04', '23505')) throw error
  }
}

async function isUntouched(session: pg.Client): Promise<boolean> {
  const { rows: tables } = await session.query(`SELECT to_regclass('audit_entries') AS oid`)
  if (tables[0]?.oid === null) return true
  const { rows } = await session.query(
    `SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM teams) OR EXISTS (SELECT FROM audit_entries) AS touched`,
  )
  return rows[0]?.touched === false
}

function endProcess(error: Error): never {
  throw error
}

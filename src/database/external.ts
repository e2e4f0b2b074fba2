import type pg from 'pg'
import { getErrorCode, getErrorMessage } from '../config/error-message.ts'
import { poolerConnection, urlConnection, withSession } from './connection.ts'
import type { Connection } from './connection.ts'
import type { Role } from './embedded/embedded-postgres.ts'
import type { DatabaseLog } from './embedded/postgres-log.ts'
import { findReadOnlyReason } from './readiness.ts'

/** The settings of a PostgreSQL server. */
export interface ExternalSettings {
  /** URL of an external PostgreSQL server; undefined for the embedded one. */
  databaseUrl: string | undefined
  /** URL of the same server without the pooler in `databaseUrl`. */
  databaseDirectUrl?: string | undefined
  /** URL of a streaming standby of the server. */
  databaseReplicaUrl?: string | undefined
}

/** Returns the connection to the external server; null for the embedded one. Throws if a URL or one of its files is wrong. */
export function externalConnection({ databaseUrl, databaseDirectUrl, databaseReplicaUrl }: ExternalSettings): Connection | null {
  if (databaseUrl === undefined) return null
  const replica = databaseReplicaUrl && { replica: named('DATABASE_REPLICA_URL', () => urlConnection(databaseReplicaUrl)) }
  if (databaseDirectUrl === undefined) return { ...named('DATABASE_URL', () => urlConnection(databaseUrl)), ...replica }
  const direct = named('DATABASE_DIRECT_URL', () => urlConnection(databaseDirectUrl))
  return { ...direct, pooler: named('DATABASE_URL', () => poolerConnection(databaseUrl)), ...replica }
}

/** Connects once, so that the start reports a wrong setting or a server that accepts no changes. A replica that cannot be reached does not stop the start. */
export async function openExternal(connection: Connection, role: Role, log: DatabaseLog) {
  const { pooler, replica: _, ...direct } = connection
  await tryConnection(pooler ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', direct, async (session) => {
    await refuseOldServer(session)
    // Commands that only read, such as a backup, may use a standby.
    if (role === 'service') await refuseReadOnly(session)
  })
  if (pooler) await tryConnection('DATABASE_URL', pooler, (session) => warnWithoutTimeout(session, log))
  return { connection, announce: async () => {}, close: async () => {} }
}

const tryConnection = (variable: string, connection: pg.ClientConfig, work: (session: pg.Client) => Promise<void>) =>
  withSession(connection, work).catch((error: unknown) => fail(variable, error))

function named<Result>(variable: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    return fail(variable, error)
  }
}

function fail(variable: string, cause: unknown): never {
  throw new Error(`${variable}: ${connectionMessage(cause)}`, { cause })
}

/** Warns that the service cannot set time limits of a session through a pooler. */
async function warnWithoutTimeout(session: pg.Client, log: DatabaseLog): Promise<void> {
  const { rows } = await session.query<{ statement_timeout: string }>('SHOW statement_timeout')
  if (rows[0]?.statement_timeout !== '0') return
  log.warn(`statements through the connection pooler have no time limit: ALTER ROLE … SET statement_timeout = '2s'`)
}

async function refuseOldServer(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ version: string; is_old: boolean }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int < 150000 AS is_old`,
  )
  if (rows[0]?.is_old) throw new Error(`PostgreSQL 15 or newer is required, and the server has ${rows[0].version}`)
}

async function refuseReadOnly(session: pg.Client): Promise<void> {
  const reason = await findReadOnlyReason(session)
  if (reason) throw new Error(`${reason}: name the primary`)
}

/** Returns the message of a connection error, with a hint at the cause if the text alone does not contain it. */
function connectionMessage(error: unknown): string {
  const message = getErrorMessage(error)
  if (/^(?:unsupported startup parameter|prepared statement)/.test(message)) {
    return `${message}: this is a connection pooler, which also requires DATABASE_DIRECT_URL`
  }
  const isCertificate = /CERT|^UNABLE_TO_|^INVALID_|^HOSTNAME_/.test(getErrorCode(error) ?? '')
  return isCertificate ? `the certificate of the server is refused: ${message}` : message
}

import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { isDiskFull } from '../../../prisma/connection/availability.ts'
import { getErrorCode, hasCode } from '../../config/error-message.ts'
import { isAlive } from './postmaster-file.ts'
import type { ClusterFolder } from './folder.ts'
import { lockService, lockToStop, lockUse, serviceHolder } from './locks.ts'
import type { DatabaseLog } from './postgres-log.ts'
import { endedBySignal, startPostmaster, stopPostmaster } from './postmaster.ts'
import { socketConnection, socketPort } from './socket-connection.ts'
import { announcedSocketFolder } from './socket-folder.ts'

/** One service runs per data folder; any number of commands may run at the same time. */
export type Role = 'service' | 'command'

/** Membership of this process in a running cluster. */
export interface ClusterMembership {
  /** Folder of the Unix socket, as pg's `host`. */
  host: string
  /** Resolves when the session that holds the locks is lost, because the cluster went down or the session was terminated. */
  lost: Promise<void>
  /** Changes the name of this process in the error of a second service on the data folder. */
  announce(holder: string): Promise<void>
  /** Ends the membership. The last member to leave stops the cluster. */
  leave(): Promise<void>
}

export interface JoinOptions {
  role: Role
  /** Identifies this process in the error of a second service, for example `pid 4711, http://127.0.0.1:3000`. */
  holder: string
  log: DatabaseLog
  /** Additional server settings; tests turn off fsync. */
  settings?: Record<string, string>
}

/** The error if another service already runs on the data folder. */
export class ServiceRunningError extends Error {}

const ownSettings = {
  listen_addresses: '',
  port: String(socketPort),
  unix_socket_permissions: '0700',
  // With these values, a committed transaction survives power loss. They are the defaults; the service depends on them.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Just-in-time compilation costs more than it saves, because statements are short.
  jit: 'off',
  // The service logs failed statements itself. A client must not be able to fill the server log.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/**
 * Starts the cluster, or adopts one that is still running after its service was killed, and joins it. If another process has started or
 * stopped the cluster at any step, the function starts over.
 */
export async function joinCluster(cluster: ClusterFolder, options: JoinOptions): Promise<ClusterMembership> {
  const settings = { ...ownSettings, ...options.settings }
  const state = fingerprint(settings, cluster)
  let mayRestart = options.role === 'service'
  for (;;) {
    const session = await connectOrStart(cluster, { ...settings, 'team_account.fingerprint': state }, options.holder)
    let isLost = false
    const lost = new Promise<void>((resolve) => session.once('end', resolve)).then(() => void (isLost = true))
    try {
      await lockUse(session)
      if (options.role === 'service') await acquireServiceLock(session)
      if (mayRestart && (await isOutdated(session, state))) {
        mayRestart = false
        if (await lockToStop(session)) {
          options.log.info('restarting PostgreSQL: its version or settings have changed')
          await stopPostmaster(cluster)
          continue
        }
        await lockUse(session)
        options.log.warn('PostgreSQL keeps its previous settings or version until every process that uses it has ended')
      }
      return {
        host: session.host,
        lost,
        announce: (holder) => announce(session, holder),
        leave: () => leave(cluster, session),
      }
    } catch (error) {
      const isTransient = isLost || isGoingDown(error)
      if (error instanceof ServiceRunningError) await leave(cluster, session)
      else await end(session)
      if (!isTransient) throw error
    }
  }
}

async function connectOrStart(cluster: ClusterFolder, settings: Record<string, string>, name: string) {
  let giveUpAt = Number.POSITIVE_INFINITY
  for (;;) {
    const session = await connect(cluster, name)
    if (session instanceof pg.Client) return session
    if (session === 'busy') {
      await delay(20)
      continue
    }
    const reason = await startPostmaster(cluster, settings)
    if (reason === undefined) continue
    // Another process may have started the server first, or the previous server has not fully ended yet. Retry.
    giveUpAt = Math.min(giveUpAt, Date.now() + 15_000)
    const isTransient = reason === endedBySignal || (/lock file|shared memory|in use/i.test(reason) && !isDiskFull({ message: reason }))
    if (!isTransient || Date.now() > giveUpAt) throw new Error(`PostgreSQL did not start in ${cluster.data}: ${reason}`)
    await delay(50)
  }
}

/** Opens a session. Returns `absent` if no server listens and `busy` if one is starting or stopping. */
async function connect(cluster: ClusterFolder, name: string): Promise<pg.Client | 'absent' | 'busy'> {
  const host = announcedSocketFolder(cluster)
  if (!host) return 'absent'
  const session = new pg.Client({ ...socketConnection(host, 'postgres'), application_name: name })
  // `lost` reports the end of the session. An error event without a listener would end the process.
  session.on('error', () => {})
  try {
    await session.connect()
    return session
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ECONNREFUSED')) return 'absent'
    if (isGoingDown(error)) return 'busy'
    throw error
  }
}

async function acquireServiceLock(session: pg.Client): Promise<void> {
  const deadline = Date.now() + 5000
  while (!(await lockService(session))) {
    const holder = await serviceHolder(session)
    const pid = Number(/^pid (\d+)/.exec(holder ?? '')?.[1])
    // PostgreSQL releases the lock of a killed service only when it notices that the connection is closed.
    if (holder && (isAlive(pid) || Date.now() > deadline)) {
      throw new ServiceRunningError(`another service runs on this data folder: ${holder}`)
    }
    await delay(20)
  }
}

async function isOutdated(session: pg.Client, fingerprintNow: string): Promise<boolean> {
  const { rows } = await session.query<{ state: string | null }>(`SELECT current_setting('team_account.fingerprint', true) AS state`)
  return rows[0]?.state !== fingerprintNow
}

function fingerprint(settings: Record<string, string>, { programs }: ClusterFolder): string {
  return createHash('sha256')
    .update(JSON.stringify([programs.version, settings]))
    .digest('hex')
    .slice(0, 16)
}

async function announce(session: pg.Client, holder: string): Promise<void> {
  try {
    await session.query(`SELECT set_config('application_name', $1, false)`, [holder])
  } catch (error) {
    // The name is set again when this process rejoins.
    if (!isGoingDown(error)) throw error
  }
}

async function leave(cluster: ClusterFolder, session: pg.Client): Promise<void> {
  try {
    if (await lockToStop(session)) await stopPostmaster(cluster)
  } catch (error) {
    // The cluster went down first, so there is nothing left to stop.
    if (!isGoingDown(error)) throw error
  } finally {
    await end(session)
  }
}

async function end(session: pg.Client): Promise<void> {
  await session.end().catch(() => undefined)
}

/** Returns true if an error means that the server is starting, stopping or gone. These states are transient. */
function isGoingDown(error: unknown): boolean {
  const code = getErrorCode(error)
  if (code === undefined) return error instanceof Error && /terminated|not queryable|closed/i.test(error.message)
  return /^(57P0[123]|08...|ECONNRESET|EPIPE|ENOENT|ECONNREFUSED)$/.test(code)
}

import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { codeOf, hasCode } from '../failure.ts'
import { isAlive } from './cluster-folder.ts'
import type { ClusterFolder } from './cluster-folder.ts'
import { lockService, lockToStop, lockUse, serviceHolder } from './cluster-locks.ts'
import { socketConnection } from './connection.ts'
import type { DatabaseLog } from './log.ts'
import { endedBySignal, startPostmaster, stopPostmaster } from './postmaster.ts'
import { announcedSocketFolder, socketPort } from './socket-folder.ts'

/** The service is one per data folder; commands are as many as like. */
export type Role = 'service' | 'command'

/** A place among the users of a running cluster. */
export interface ClusterMembership {
  /** Folder of the Unix socket, as pg's `host`. */
  host: string
  /** Resolves when the session that holds the locks is lost: the cluster went down, or that session was ended. */
  lost: Promise<void>
  /** Changes the name under which a refused service hears of us. */
  announce(holder: string): Promise<void>
  /** Leaves; the last one to leave stops the cluster. */
  leave(): Promise<void>
}

export interface JoinOptions {
  role: Role
  /** Says who we are to a service that is refused because of us, e.g. `pid 4711, http://127.0.0.1:3000`. */
  holder: string
  log: DatabaseLog
  /** Settings beside our own; tests do without fsync. */
  settings?: Record<string, string>
}

/** Thrown to the second service on a data folder. */
export class ServiceRunningError extends Error {}

const ownSettings = {
  listen_addresses: '',
  port: String(socketPort),
  unix_socket_permissions: '0700',
  // What is acknowledged survives power loss: the defaults, said aloud.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Our statements are short: compiling them costs more than it saves.
  jit: 'off',
  // A refused statement is an error of its caller, who logs it; a client must not be able to fill this log.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/**
 * Starts the cluster, or adopts the one that outlived a killed service, and takes a place among its users. Any
 * step may find that somebody else started or stopped it meanwhile; then all begins anew.
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
      if (options.role === 'service') await becomeTheService(session)
      if (mayRestart && (await isOutdated(session, state))) {
        mayRestart = false
        if (await lockToStop(session)) {
          options.log.info('restarting PostgreSQL: its version or settings have changed')
          await stopPostmaster(cluster)
          continue
        }
        await lockUse(session)
        options.log.warn('PostgreSQL has older settings or another version until all who use it have ended')
      }
      return {
        host: session.host,
        lost,
        announce: (holder) => announce(session, holder),
        leave: () => leave(cluster, session),
      }
    } catch (error) {
      const hasPassed = isLost || isGoingDown(error)
      if (error instanceof ServiceRunningError) await leave(cluster, session)
      else await end(session)
      if (!hasPassed) throw error
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
    // Who lost the race against another starter, or came while the old processes were still ending, tries again.
    giveUpAt = Math.min(giveUpAt, Date.now() + 15_000)
    const mayPass = reason === endedBySignal || /lock file|shared memory|in use/i.test(reason)
    if (!mayPass || Date.now() > giveUpAt) throw new Error(`PostgreSQL did not start in ${cluster.data}: ${reason}`)
    await delay(50)
  }
}

/** A session, or `absent` when no server listens, or `busy` when one is starting or stopping. */
async function connect(cluster: ClusterFolder, name: string): Promise<pg.Client | 'absent' | 'busy'> {
  const host = announcedSocketFolder(cluster)
  if (!host) return 'absent'
  const session = new pg.Client({ ...socketConnection(host, socketPort, 'postgres'), application_name: name })
  // Its end is told by `lost`; an error event nobody hears would end the process.
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

async function becomeTheService(session: pg.Client): Promise<void> {
  const deadline = Date.now() + 5000
  while (!(await lockService(session))) {
    const holder = await serviceHolder(session)
    const pid = Number(/^pid (\d+)/.exec(holder ?? '')?.[1])
    // A service that was just killed holds its place for the moment PostgreSQL needs to notice.
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
    // It is said again with the next session.
    if (!isGoingDown(error)) throw error
  }
}

async function leave(cluster: ClusterFolder, session: pg.Client): Promise<void> {
  try {
    if (await lockToStop(session)) await stopPostmaster(cluster)
  } catch (error) {
    // It went down before we could leave: there is nothing left to stop.
    if (!isGoingDown(error)) throw error
  } finally {
    await end(session)
  }
}

async function end(session: pg.Client): Promise<void> {
  await session.end().catch(() => undefined)
}

/** Whether the server is starting, stopping or gone: states that pass. */
function isGoingDown(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return error instanceof Error && /terminated|not queryable|closed/i.test(error.message)
  return /^(57P0[123]|08...|ECONNRESET|EPIPE|ENOENT|ECONNREFUSED)$/.test(code)
}

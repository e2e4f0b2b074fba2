import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterFolder } from './folder.ts'
import { isPostmaster, readPostmasterFile } from './postmaster-file.ts'
import { socketFolder } from './socket-folder.ts'

/** The reason returned for a server that was killed while it was starting. */
export const endedBySignal = 'it was ended by a signal'

const stopTimeoutSeconds = 60

/**
 * Starts PostgreSQL and waits until it accepts sessions, however long crash recovery takes. Returns undefined, or the
 * reason if the server ended instead: another process may have started one at the same moment.
 */
export async function startPostmaster(cluster: ClusterFolder, settings: Record<string, string>): Promise<string | undefined> {
  const logFile = path.join(cluster.folder, 'server.log')
  await rotateLargeLog(logFile)
  const log = await open(logFile, 'a', 0o600)
  try {
    const start = (await log.stat()).size
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(cluster.programs.postgres, ['-D', cluster.data, '-k', socketFolder(cluster), ...options], {
      ...cluster.user,
      cwd: '/',
      // The program inherits nothing: no secrets, and no PG* variables that would change its configuration.
      env: { LC_ALL: 'C', ...stalePidOverride(cluster.data) },
      // It has its own process group, so that Ctrl-C reaches only this process, which then stops the server.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    let ended: string | undefined
    child.once('error', (error) => (ended = error.message))
    child.once('exit', (status, signal) => (ended ??= signal ? endedBySignal : `it ended with status ${status}`))
    child.unref()
    for (;;) {
      const file = readPostmasterFile(cluster.data)
      if (file?.pid === child.pid && file?.isReady) return undefined
      if (ended !== undefined) return ended === endedBySignal ? ended : (lastFatalLine(logFile, start) ?? ended)
      await delay(10)
    }
  } finally {
    await log.close()
  }
}

/**
 * Stops PostgreSQL with a "fast" shutdown: it terminates sessions and writes a checkpoint. Does nothing if it is not
 * running. pg_ctl is not used: if another process starts the next server at the moment this one ends, pg_ctl waits
 * for the new server to end.
 */
export async function stopPostmaster(cluster: ClusterFolder): Promise<void> {
  const running = readPostmasterFile(cluster.data)
  if (!running || !isPostmaster(running.pid, cluster.data)) return
  const deadline = Date.now() + stopTimeoutSeconds * 1000
  process.kill(running.pid, 'SIGINT')
  while (isPostmaster(running.pid, cluster.data)) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL (pid ${running.pid}) has not stopped within ${stopTimeoutSeconds} s`)
    await delay(10)
  }
  // A socket folder outside the cluster's folder was created for this run only.
  if (!running.socketFolder.startsWith(cluster.folder)) await rm(running.socketFolder, { recursive: true, force: true })
}

/**
 * Returns the environment that makes PostgreSQL ignore a process id. After a power loss, another program of the same user may have the
 * process id in `postmaster.pid`, and PostgreSQL would refuse to start. The variable is meant for pg_ctl's parent.
 */
function stalePidOverride(data: string): Record<string, string> {
  const file = readPostmasterFile(data)
  return file && !isPostmaster(file.pid, data) ? { PG_GRANDPARENT_PID: String(file.pid) } : {}
}

async function rotateLargeLog(logFile: string): Promise<void> {
  const maxBytes = 4 * 1024 * 1024
  const size = await stat(logFile).then(
    (stats) => stats.size,
    () => 0,
  )
  if (size > maxBytes) await rename(logFile, `${logFile}.1`)
}

function lastFatalLine(logFile: string, start: number): string | undefined {
  const lines = readFileSync(logFile).subarray(start).toString().split('\n')
  // Errors sent to sessions are not the reason. These sessions connected too early or belonged to a server that was killed.
  const isSessionError = (line: string) => /the database system is|terminating connection/.test(line)
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line) && !isSessionError(line))
  return fatal?.replace(/^.*?\b(?:FATAL|PANIC):\s+/, '')
}

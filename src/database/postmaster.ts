import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterFolder } from './cluster-folder.ts'
import { isPostmaster, readPostmasterFile } from './postmaster-file.ts'
import { socketFolder } from './socket-folder.ts'

/** The reason of a server that somebody killed while it was starting. */
export const endedBySignal = 'it was ended by a signal'

const longestStopSeconds = 60

/**
 * Starts PostgreSQL and waits until it accepts sessions. Answers undefined then, or, when it ended instead (another
 * process may have started it in the same instant), the reason it gave. Crash recovery may take its time.
 */
export async function startPostmaster(cluster: ClusterFolder, settings: Record<string, string>): Promise<string | undefined> {
  const logFile = path.join(cluster.folder, 'server.log')
  await keepSmall(logFile)
  const log = await open(logFile, 'a', 0o600)
  try {
    const start = (await log.stat()).size
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(cluster.programs.postgres, ['-D', cluster.data, '-k', socketFolder(cluster), ...options], {
      ...cluster.user,
      cwd: '/',
      // Nothing of ours: no secrets, no PG* variables that would redirect it.
      env: { LC_ALL: 'C', ...pardonedPid(cluster.data) },
      // A session of its own: Ctrl-C in the terminal reaches us alone, and we stop it in order.
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
 * Stops PostgreSQL in order (its "fast" shutdown): sessions are ended, all is written. Nothing happens when it is not
 * running. Not through pg_ctl, which, when another process starts the next server in the instant this one has ended,
 * waits for that one to end.
 */
export async function stopPostmaster(cluster: ClusterFolder): Promise<void> {
  const running = readPostmasterFile(cluster.data)
  if (!running || !isPostmaster(running.pid, cluster.data)) return
  const deadline = Date.now() + longestStopSeconds * 1000
  process.kill(running.pid, 'SIGINT')
  while (isPostmaster(running.pid, cluster.data)) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL (pid ${running.pid}) has not stopped within ${longestStopSeconds} s`)
    await delay(10)
  }
  // A short socket folder was made for this run alone.
  if (!running.socketFolder.startsWith(cluster.folder)) await rm(running.socketFolder, { recursive: true, force: true })
}

/**
 * After a power loss the process number in `postmaster.pid` may belong to any program, and PostgreSQL, seeing one
 * of its own user's alive, would refuse to start. It makes an exception for the number in this variable (meant for
 * pg_ctl's parent).
 */
function pardonedPid(data: string): Record<string, string> {
  const file = readPostmasterFile(data)
  return file && !isPostmaster(file.pid, data) ? { PG_GRANDPARENT_PID: String(file.pid) } : {}
}

async function keepSmall(logFile: string): Promise<void> {
  const largestBytes = 4 * 1024 * 1024
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size > largestBytes) await rename(logFile, `${logFile}.1`)
}

function lastFatalLine(logFile: string, start: number): string | undefined {
  const lines = readFileSync(logFile).subarray(start).toString().split('\n')
  // What sessions were told that knocked too early, or belonged to a server killed before, is no reason.
  const isOfSession = (line: string) => /the database system is|terminating connection/.test(line)
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line) && !isOfSession(line))
  return fatal?.replace(/^.*?\b(?:FATAL|PANIC):\s+/, '')
}

import { spawn } from 'node:child_process'
import type { SpawnOptions } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { childEnvironment } from '../child-environment.ts'
import { exitStatusOf } from '../exit-status.ts'

/** A line of JSON that database-process.ts prints. */
interface ProcessEvent {
  open?: { poolConfig: pg.PoolConfig; firstStart: boolean }
  error?: string
  info?: string
  warning?: string
  evicted?: string
  closed?: boolean
}

/** A child process that opens the database of a data folder. */
export interface DatabaseProcess {
  pid: number
  events: ProcessEvent[]
  /** Resolves with the connection when the database is open; rejects with the error message otherwise. */
  opened: Promise<{ poolConfig: pg.PoolConfig; firstStart: boolean }>
  /** Resolves with the exit status, or null if a signal ended the process. */
  ended: Promise<number | null>
  /** Sends SIGTERM and waits until the process has ended. */
  stop(): Promise<void>
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>
}

const script = path.join(import.meta.dirname, 'database-process.ts')

/** Starts database-process.ts on a data folder. */
export function startDatabaseProcess(
  role: 'service' | 'command',
  dataFolder: string,
  { program = script, databaseUrl = '', ...options }: SpawnOptions & { program?: string; databaseUrl?: string } = {},
): DatabaseProcess {
  const child = spawn(process.execPath, [program, role], {
    ...options,
    env: childEnvironment({ DATA_DIR: dataFolder, DATABASE_URL: databaseUrl }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.pid === undefined || !child.stdout) throw new Error('The child process did not start.')
  const events: ProcessEvent[] = []
  const ended = exitStatusOf(child)
  const opened = new Promise<NonNullable<ProcessEvent['open']>>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      const event: ProcessEvent = JSON.parse(line)
      events.push(event)
      if (event.open) resolve(event.open)
      if (event.error) reject(new Error(event.error))
    })
    lines.once('close', () => reject(new Error('The process ended without an event.')))
  })
  // A test that only kills the process ignores this promise.
  opened.catch(() => undefined)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return { pid: child.pid, events, opened, ended, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

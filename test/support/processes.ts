import { spawn } from 'node:child_process'
import type { SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { isPostmaster, readPostmasterFile } from '../../src/database/postmaster-file.ts'
import { waitFor } from './wait.ts'

interface Story {
  open?: { poolConfig: pg.PoolConfig; firstStart: boolean }
  error?: string
  info?: string
  warning?: string
  evicted?: string
  closed?: boolean
}

/** A child process that has the database of a data folder open, or was refused it. */
export interface DatabaseProcess {
  pid: number
  story: Story[]
  /** Resolves with what it opened; rejects with what it was told instead. */
  opened: Promise<{ poolConfig: pg.PoolConfig; firstStart: boolean }>
  /** Resolves with the exit status, null after a signal. */
  ended: Promise<number | null>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>
}

const script = path.join(import.meta.dirname, 'database-process.ts')

/** Starts test/support/database-process.ts on a data folder. */
export function startProcess(
  role: 'service' | 'command',
  dataFolder: string,
  { program = script, databaseUrl = '', ...options }: SpawnOptions & { program?: string; databaseUrl?: string } = {},
): DatabaseProcess {
  const child = spawn(process.execPath, [program, role], {
    ...options,
    env: { PATH: process.env.PATH, DATA_DIR: dataFolder, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.pid === undefined || !child.stdout) throw new Error('no child process')
  const story: Story[] = []
  const ended = once(child, 'close').then(([status]) => status as number | null)
  const opened = new Promise<NonNullable<Story['open']>>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (line) => {
      const event = JSON.parse(line) as Story
      story.push(event)
      if (event.open) resolve(event.open)
      if (event.error) reject(new Error(event.error))
    })
    lines.once('close', () => reject(new Error('ended without a word')))
  })
  // Who only kills does not ask whether it opened.
  opened.catch(() => undefined)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  return { pid: child.pid, story, opened, ended, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

/** A folder for one test that PostgreSQL's user can pass through, and what removes it with the server in it. */
export function temporaryFolder(name = 'data'): { folder: string; remove: () => Promise<void> } {
  const parent = mkdtempSync(path.join(tmpdir(), 'team-account-reliability-'))
  chmodSync(parent, 0o711)
  const folder = path.join(parent, name)
  return {
    folder,
    async remove() {
      await killPostgres(folder)
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

/** The process number of the server on a data folder; undefined when none runs. */
export function postgresPid(dataFolder: string): number | undefined {
  const data = path.join(dataFolder, 'database', 'cluster')
  const pid = existsSync(data) ? readPostmasterFile(data)?.pid : undefined
  return pid !== undefined && isPostmaster(pid, data) ? pid : undefined
}

/** What a power loss does to the server. */
export async function killPostgres(dataFolder: string): Promise<void> {
  const pid = postgresPid(dataFolder)
  if (pid === undefined) return
  process.kill(pid, 'SIGKILL')
  await waitFor(() => !isPostmaster(pid, path.join(dataFolder, 'database', 'cluster')))
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { waitFor } from './wait.ts'

/** The service as `npm start` runs it, in a process of its own. */
export interface ServiceProcess {
  /** Its public origin, once it has told it. */
  origin: Promise<string>
  output(): { stdout: string; stderr: string }
  /** Resolves with the exit status, null after a signal. */
  ended: Promise<number | null>
  signal(name: NodeJS.Signals): void
}

const project = path.join(import.meta.dirname, '..', '..')
const main = path.join(project, 'src', 'main.ts')

/** Starts src/main.ts with these settings alone, on a free port unless PORT says another. */
export function startMain(settings: Record<string, string>): ServiceProcess {
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx/esm'), main], {
    cwd: path.dirname(settings.DATA_DIR ?? import.meta.dirname),
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'info', TSX_TSCONFIG_PATH: path.join(project, 'tsconfig.json'), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()))
  const ended = once(child, 'close').then(([status]) => status as number | null)
  const greeted = waitFor(() => {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${written.stderr}`)
    return /REST API +(http:\/\/[^/]+)\//.exec(written.stdout)?.[1]
  }, 20)
  // Who waits for the end does not ask for the origin.
  greeted.catch(() => undefined)
  return { origin: greeted, output: () => written, ended, signal: (name) => void child.kill(name) }
}

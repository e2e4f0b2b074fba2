import { spawn } from 'node:child_process'
import path from 'node:path'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { addLog, addSecret } from '../service/secrets/secrets-in-logs.ts'
import { waitFor } from '../service/wait.ts'
import { childEnvironment } from './child-environment.ts'
import { exitStatusOf } from './exit-status.ts'

/** The service in a child process, as `npm start` runs it. */
export interface ServiceProcess {
  /** Resolves with the public origin when the service is ready. */
  origin: Promise<string>
  pid: number
  output(): { stdout: string; stderr: string }
  /** Resolves with the exit status, or null if a signal ended the process. */
  ended: Promise<number | null>
  signal(name: NodeJS.Signals): void
}

/** Environment variables. DATA_DIR is required: its default is below the current folder, which would be the repository. */
export type Settings = Record<string, string> & { DATA_DIR: string }

interface StartOptions {
  /** The project folder whose dist/ is started. */
  folder?: string
  /** Default: the parent of the data folder. */
  cwd?: string
  uid?: number
  gid?: number
}

/** Starts dist/main.js with only these settings. Uses a free port and one process unless PORT and WEB_CONCURRENCY are set. */
export function startMain(
  settings: Settings,
  { folder = projectFolder, cwd = path.dirname(settings.DATA_DIR), ...user }: StartOptions = {},
): ServiceProcess {
  const child = spawn(process.execPath, [path.join(folder, 'dist', 'main.js')], {
    ...user,
    cwd,
    env: childEnvironment({ PORT: '0', LOG_LEVEL: 'info', WEB_CONCURRENCY: '1', ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  addSecret(settings['SECRET_KEY'] ?? '')
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    output.stderr += text
    addLog(text)
  })
  const ended = exitStatusOf(child)
  const origin = waitFor(() => {
    if (child.exitCode !== null) throw new Error(`The service exited with status ${child.exitCode}: ${output.stderr}`)
    return /REST API +(http:\/\/[^/]+)\//.exec(output.stdout)?.[1]
  })
  // A test that only waits for the exit ignores this promise.
  origin.catch(() => undefined)
  return { origin, pid: child.pid ?? 0, output: () => output, ended, signal: (name) => void child.kill(name) }
}

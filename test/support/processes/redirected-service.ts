import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { waitFor } from '../service/wait.ts'
import { childEnvironment } from './child-environment.ts'
import { exitStatusOf } from './exit-status.ts'
import { commandLineOf } from '../faults/processes.ts'
import { reservePort } from './port.ts'

/** The service in a process whose output goes elsewhere than to the test. */
export interface RedirectedService {
  origin: string
  pid: number
  hasEnded(): boolean
  signal(name: NodeJS.Signals): void
}

const node = [process.execPath, path.join(projectFolder, 'dist', 'main.js')]

function environmentOf(settings: Record<string, string>) {
  const { port, release } = reservePort()
  release()
  const env = childEnvironment({
    DATA_DIR: path.join(inject('runFolder'), `redirected-${port}`),
    NODE_ENV: 'production',
    PORT: String(port),
    SECRET_KEY: 'k1'.repeat(16),
    WEB_CONCURRENCY: '1',
    ...settings,
  })
  return { env, origin: `http://127.0.0.1:${port}` }
}

/** Starts the service with this descriptor as standard output and standard error, and waits until it is ready. */
export async function startWithOutput(descriptor: number, settings: Record<string, string>): Promise<RedirectedService> {
  const { env, origin } = environmentOf(settings)
  return started(origin, spawnWithOutput(descriptor, env).pid ?? 0)
}

/** Starts the service in the same way, and returns its exit status when it ends. */
export function statusWithOutput(descriptor: number, settings: Record<string, string>): Promise<number | null> {
  const child = spawnWithOutput(descriptor, environmentOf(settings).env)
  onTestFinished(() => void child.kill('SIGKILL'))
  return exitStatusOf(child)
}

function spawnWithOutput(descriptor: number, env: NodeJS.ProcessEnv) {
  const [program = '', ...args] = node
  return spawn(program, args, { stdio: ['ignore', descriptor, descriptor], env })
}

/** Starts the service on a terminal, in the background as with `disown`, and waits until it is ready. `closeTerminal` closes the terminal. */
export async function startOnTerminal(settings: Record<string, string>): Promise<RedirectedService & { closeTerminal(): void }> {
  const { env, origin } = environmentOf(settings)
  const pidFile = path.join(inject('runFolder'), `redirected-${new URL(origin).port}.pid`)
  // A process in a session of its own receives no SIGHUP.
  const command = `setsid sh -c 'echo $$ > ${pidFile}; exec ${node.join(' ')}'; sleep 600`
  const terminal = spawn('script', ['--quiet', '--command', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'], env })
  let output = ''
  terminal.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const closeTerminal = () => void terminal.kill('SIGKILL')
  onTestFinished(closeTerminal)
  const pid = await waitFor(() => readPid(pidFile))
  const service = await started(origin, pid)
  // Several processes print it when all are ready.
  await waitFor(() => output.includes('The team account service is running'))
  return { ...service, closeTerminal }
}

/** A process that has ended and whose parent has not noticed has no command line. */
const isRunning = (pid: number): boolean => commandLineOf(pid).join('') !== ''

function readPid(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function started(origin: string, pid: number): Promise<RedirectedService> {
  const signal = (name: NodeJS.Signals) => void process.kill(pid, name)
  onTestFinished(() => void (isRunning(pid) && signal('SIGKILL')))
  await waitFor(() =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return { origin, pid, hasEnded: () => !isRunning(pid), signal }
}

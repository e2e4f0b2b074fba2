import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { childEnvironment } from '../../support/processes/child-environment.ts'
import { exitStatusOf } from '../../support/processes/exit-status.ts'
import { reservePort } from '../../support/processes/port.ts'
import { useDatabase } from '../../support/service/database.ts'
import { waitFor } from '../../support/service/wait.ts'

const database = useDatabase()

const isUp = (url: string) =>
  fetch(`${url}/livez`).then(
    ({ ok }) => ok,
    () => false,
  )

function hasProcesses(group: number): boolean {
  try {
    return process.kill(group, 0)
  } catch {
    return false
  }
}

// A terminal that closes sends SIGHUP to all processes of `npm start`; a supervisor sends its signal to npm alone.
test.each([
  ['SIGTERM', 'npm'],
  ['SIGINT', 'npm'],
  ['SIGHUP', 'all its processes'],
] as const)('npm start ends with the service when %s is sent to %s', async (signal, target) => {
  const { port, release } = reservePort()
  release()
  const child = spawn('npm', ['start'], {
    cwd: projectFolder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: childEnvironment({
      DATABASE_URL: database.url,
      DATA_DIR: path.join(inject('runFolder'), `npm-start-${signal}`),
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      PORT: String(port),
      SECRET_KEY: 'k1'.repeat(16),
      WEB_CONCURRENCY: '1',
    }),
  })
  const ended = exitStatusOf(child)
  const group = -(child.pid ?? 0)
  onTestFinished(() => void (hasProcesses(group) && process.kill(group, 'SIGKILL')))
  const url = `http://127.0.0.1:${port}`
  await waitFor(() => isUp(url))
  process.kill(target === 'npm' ? (child.pid ?? 0) : group, signal)
  await ended
  await waitFor(() => !hasProcesses(group))
  expect(await isUp(url)).toBe(false)
})

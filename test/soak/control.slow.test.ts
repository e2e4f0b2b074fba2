import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { childEnvironment } from '../support/processes/child-environment.ts'
import { exitStatusOf } from '../support/processes/exit-status.ts'
import { isFull } from '../support/service/full.ts'

test.runIf(isFull)(
  'a soak fails for a service that keeps memory, descriptors and connections, and whose mails wait',
  async () => {
    const line = [path.join(import.meta.dirname, 'run.ts'), '--minutes', '1', '--warm-up', '5', '--leak']
    const soak = spawn(process.execPath, line, { env: childEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] })
    const [errors, status] = await Promise.all([text(soak.stderr), exitStatusOf(soak)])
    expect([status, errors.trim()]).toEqual([1, 'grows under steady traffic: heap, resident, descriptors, connections, jobs'])
  },
  300_000,
)

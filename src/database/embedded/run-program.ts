import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { PostgresUser } from './postgres-user.ts'

/**
 * Runs one of PostgreSQL's programs; if it fails, throws with the first error line of its output. It inherits no
 * environment and has its own process group, so that Ctrl-C does not interrupt it.
 */
export async function runProgram(program: string, options: string[], user: PostgresUser): Promise<void> {
  const child = spawn(program, options, { ...user, cwd: '/', env: { LC_ALL: 'C' }, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [status, output] = await Promise.all([exit, text(child.stderr)])
  if (status === 0) return
  const reason = output.split('\n').find((line) => /error|fatal|could not/i.test(line)) ?? output.split('\n', 1)[0]
  throw new Error(`${path.basename(program)} failed: ${reason?.replace(/^\w+: /, '')}`)
}

import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { PostgresUser } from './postgres-user.ts'

/**
 * Runs one of PostgreSQL's programs to its end; throws with the first line it complained in when it fails. It gets
 * none of our environment, and a session of its own: Ctrl-C in the terminal must not stop it half-way.
 */
export async function runProgram(program: string, options: string[], user: PostgresUser): Promise<void> {
  const child = spawn(program, options, { ...user, cwd: '/', env: { LC_ALL: 'C' }, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [status, complaint] = await Promise.all([exit, text(child.stderr)])
  if (status === 0) return
  const reason = complaint.split('\n').find((line) => /error|fatal|could not/i.test(line)) ?? complaint.split('\n', 1)[0]
  throw new Error(`${path.basename(program)} failed: ${reason?.replace(/^\w+: /, '')}`)
}

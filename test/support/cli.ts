import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll } from 'vitest'
import { createDatabase } from './database.ts'

const program = path.join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')

export interface CliResult {
  status: number | null
  stdout: string
  stderr: string
}

/** Runs the command line in a process of its own. */
export async function runCli(env: Record<string, string>, args: readonly string[], input = ''): Promise<CliResult> {
  const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, ...env } })
  // A command that reads nothing may be gone before the input is.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status: status as number | null, stdout, stderr }
}

/** The command line on a database of the test file's own, and a pool to look at it with. */
export async function cliOnDatabase() {
  const { url, poolConfig, drop } = await createDatabase()
  const pool = new pg.Pool(poolConfig)
  const env = { DATABASE_URL: url }
  afterAll(async () => {
    await pool.end()
    await drop()
  })
  return {
    pool,
    env,
    run: (...args: string[]) => runCli(env, args),
    /** With `--json`, which must have answered: what it answered. */
    async answer(...args: string[]) {
      const { status, stdout, stderr } = await runCli(env, [...args, '--json'])
      if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
      return JSON.parse(stdout)
    },
    import: (records: readonly object[], ...args: string[]) =>
      runCli(env, ['import', '-', ...args], records.map((record) => `${JSON.stringify(record)}\n`).join('')),
  }
}

import { spawn } from 'node:child_process'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import pg from 'pg'
import { afterAll } from 'vitest'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { runLine } from '../../../src/cli/run.ts'
import { withTerminal } from '../../../src/cli/terminal/terminal.ts'
import { childEnvironment } from '../processes/child-environment.ts'
import { exitStatusOf } from '../processes/exit-status.ts'
import { useDatabase } from './database.ts'

const cliProgram = path.join(projectFolder, 'dist', 'cli.js')

export interface CliResult {
  status: number | null
  stdout: string
  stderr: string
}

/**
 * Runs a command in the process of the test, which is ten times as fast as starting the program. Several may run at the same
 * time: each has its own streams and settings.
 */
export async function runCli(settings: Record<string, string>, line: readonly string[], input = ''): Promise<CliResult> {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const output = Promise.all([text(stdout), text(stderr)])
  const status = await withTerminal({ stdin: Readable.from([Buffer.from(input)]), stdout, stderr, settings }, () => runLine(line))
  stdout.end()
  stderr.end()
  const [written, errors] = await output
  return { status, stdout: written, stderr: errors }
}

/** The lines that a command prints on a terminal of so many columns, without colours. */
export async function runOnTerminal(settings: Record<string, string>, columns: number, line: readonly string[]): Promise<string[]> {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns })
  const output = text(stdout)
  await withTerminal({ stdin: new PassThrough(), stdout, stderr: new PassThrough(), settings }, () => runLine(line))
  stdout.end()
  return stripVTControlCharacters(await output).split('\n')
}

/** Runs a command in a child process that has only the variables of `env` and PATH. */
export async function spawnCli(env: Record<string, string>, args: readonly string[], input = ''): Promise<CliResult> {
  const child = spawn(process.execPath, [cliProgram, ...args], { env: childEnvironment(env) })
  // A command that does not read its input can exit before the input is written.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exitStatusOf(child)])
  return { status, stdout, stderr }
}

/** Returns a database for the tests of this file, functions that run commands on it, and a pool for queries. */
export function useCli() {
  const { url, poolConfig } = useDatabase()
  const pool = new pg.Pool(poolConfig)
  const env = { DATABASE_URL: url }
  afterAll(() => pool.end())
  return {
    pool,
    env,
    run: (...args: string[]) => runCli(env, args),
    /** Runs a command with `--json` and returns the parsed output. Throws if the command fails. */
    async answer(...args: string[]) {
      const { status, stdout, stderr } = await runCli(env, [...args, '--json'])
      if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
      return JSON.parse(stdout)
    },
    import: (records: readonly object[], ...args: string[]) =>
      runCli(env, ['import', '-', ...args], records.map((record) => `${JSON.stringify(record)}\n`).join('')),
  }
}

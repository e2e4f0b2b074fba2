import { spawn, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { postgresUserFor } from '../../../src/database/embedded/postgres-user.ts'
import { exitStatusOf } from '../processes/exit-status.ts'
import { reservePort } from '../processes/port.ts'
import { waitFor } from '../service/wait.ts'
import { temporaryFolder } from './server.ts'

/** PgBouncer in transaction mode. */
export interface PgBouncer {
  /** The URL of the same database through the pooler. */
  url: string
  start(): Promise<void>
  stop(): Promise<void>
}

const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((each) => spawnSync(each, ['--version'], { stdio: 'ignore' }).status === 0)
if (program === undefined) console.warn('The tests of PgBouncer are skipped: there is no program pgbouncer.')
export const hasPgBouncer = program !== undefined

/**
 * PgBouncer in front of a database; its URL is known before it starts. It has so few sessions that each statement of a client may be
 * executed in another one.
 */
export function planPgBouncer(databaseUrl: string, { sessions = 2 } = {}): PgBouncer {
  const { hostname, port: targetPort, searchParams, username, pathname } = new URL(databaseUrl)
  const { port, release } = reservePort()
  const url = `postgresql://postgres@127.0.0.1:${port}${pathname}`
  let stop = async () => release()
  return {
    url,
    stop: () => stop(),
    async start() {
      const folder = temporaryFolder()
      // PgBouncer does not run as root. This user can enter the folder of the embedded PostgreSQL's socket.
      const user = postgresUserFor(folder)
      const target = `host=${searchParams.get('host') ?? hostname} port=${targetPort || 5432} user=${username || 'postgres'}`
      const file = path.join(folder, 'pgbouncer.ini')
      writeFileSync(
        file,
        `[databases]\n* = ${target}\n[pgbouncer]\npool_mode = transaction\ndefault_pool_size = ${sessions}\nlisten_addr = 127.0.0.1\n` +
          `listen_port = ${port}\nunix_socket_dir =\nauth_type = any\nmax_client_conn = 500\n`,
      )
      release()
      const child = spawn(program ?? '', ['--quiet', file], { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
      const [ended, output] = [exitStatusOf(child), text(child.stderr)]
      stop = async () => {
        child.kill('SIGKILL')
        await ended
        rmSync(folder, { recursive: true, force: true })
      }
      await waitFor(async () => {
        if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${await output}`)
        const client = new pg.Client(url)
        return client.connect().then(
          () => client.end().then(() => true),
          () => false,
        )
      })
    },
  }
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { startMain } from '../../support/processes/service-process.ts'
import type { BenchDatabase } from '../data/database.ts'
import type { HandWritten } from './titles.ts'

/** The number of connections to the database of each contestant. */
export const poolSize = 10

/** A contestant in a process of its own. */
export interface Contestant {
  origin: string
  port: number
  pid: number
  stop(): Promise<void>
}

/** The settings of the service besides its data folder, those of production. */
export const serviceSettings = ({ url }: Pick<BenchDatabase, 'url'>) => ({
  DATABASE_URL: url,
  DATABASE_POOL: String(poolSize),
  NODE_ENV: 'production',
  SECRET_KEY: 'bench '.repeat(8),
  WEB_CONCURRENCY: '1',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_API: '0',
  // The endpoints of webhooks.
  OUTGOING_ALLOWED_HOSTS: '127.0.0.1',
})

/** Starts the service like `npm start`, with further settings. */
export async function startService(database: BenchDatabase, settings: Record<string, string> = {}): Promise<Contestant> {
  const main = startMain({ ...serviceSettings(database), ...settings, DATA_DIR: path.join(database.folder, 'service') })
  const origin = await main.origin
  return {
    origin,
    port: Number(new URL(origin).port),
    pid: main.pid,
    async stop() {
      main.signal('SIGTERM')
      await main.ended
    },
  }
}

/** Starts a hand-written contestant on the same database. Its links name the origin of the service, so that bodies are equal. */
export async function startHandWritten(name: HandWritten, { url }: BenchDatabase, publicUrl: string): Promise<Contestant> {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' }
  const child = fork(path.join(import.meta.dirname, `${name}.ts`), [url, publicUrl, String(poolSize)], { env })
  const [{ port }] = (await once(child, 'message')) as [AddressInfo]
  return {
    origin: `http://localhost:${port}`,
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

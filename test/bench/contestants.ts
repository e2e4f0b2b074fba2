import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { startMain } from '../support/service-process.ts'
import type { BenchDatabase } from './database.ts'
import type { LoadOrder, LoadResult } from './load.ts'

/** Connections of each side's pool. */
export const poolSize = 10

export interface Contestants {
  /** Origin of the service, as `npm start` runs it in production. */
  service: string
  yardstick: string
  stop(): Promise<void>
}

const besideThis = (name: string) => path.join(import.meta.dirname, name)

/** Starts both, each in a process of its own on the same database, with pools of the same size. */
export async function startContestants({ url, folder }: BenchDatabase): Promise<Contestants> {
  const main = startMain({
    DATABASE_URL: url,
    DATABASE_POOL: String(poolSize),
    DATA_DIR: path.join(folder, 'service'),
    NODE_ENV: 'production',
    SECRET_KEY: 'bench '.repeat(8),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_API: '0',
  })
  const service = await main.origin
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' }
  const yardstick = fork(besideThis('yardstick.ts'), [url, service, String(poolSize)], { env })
  const [{ port }] = (await once(yardstick, 'message')) as [{ port: number }]
  return {
    service,
    yardstick: `http://localhost:${port}`,
    async stop() {
      yardstick.disconnect()
      main.signal('SIGTERM')
      await main.ended
    },
  }
}

/** The third process: the load. Answers requests per second; throws when anything but a 2xx came back. */
export function startLoad() {
  const child = fork(besideThis('load.ts'), { env: { PATH: process.env.PATH } })
  return {
    async run(order: LoadOrder): Promise<number> {
      child.send(order)
      const [{ requestsPerSecond, failures }] = (await once(child, 'message')) as [LoadResult]
      if (failures > 0) throw new Error(`${order.url}: ${failures} requests failed`)
      return requestsPerSecond
    },
    stop: () => child.disconnect(),
  }
}

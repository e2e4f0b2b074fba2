import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { openClient } from '../../prisma/client.ts'
import type { Database } from '../../prisma/client.ts'
import { createBalancer } from './balancer.ts'
import { createDatabase } from './database.ts'
import { secretKey } from './pace.ts'
import { startMain } from './service-process.ts'
import type { ServiceProcess } from './service-process.ts'

/** Two processes of the service on one database, behind one address. */
export interface ServicePair {
  /** The address, which is AUTH_URL to both. */
  url: string
  database: Database
  /** Where each process listens. */
  ports: readonly number[]
  /** SIGKILL, and another process in its place. */
  replace(slot: 0 | 1): Promise<void>
}

export async function startPair(): Promise<ServicePair> {
  const { poolConfig, url: databaseUrl, drop } = await createDatabase()
  const database = openClient(poolConfig)
  const balancer = await createBalancer()
  const running: ServiceProcess[] = []

  async function start(slot: 0 | 1): Promise<void> {
    const port = await freePort()
    const service = startMain({
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey,
      AUTH_URL: balancer.origin,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
    })
    running[slot] = service
    await service.origin
    balancer.targets[slot] = port
  }
  async function kill({ signal, ended }: ServiceProcess): Promise<void> {
    signal('SIGKILL')
    await ended
  }

  afterAll(async () => {
    await Promise.all(running.map(kill))
    await balancer.close()
    await database.close()
    await drop()
  })
  await Promise.all([start(0), start(1)])
  return {
    url: balancer.origin,
    database,
    ports: balancer.targets,
    async replace(slot) {
      const old = running[slot]
      if (old) await kill(old)
      await start(slot)
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, inject } from 'vitest'
import { openClient } from '../../../prisma/connection/database.ts'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import { createBalancer } from './balancer.ts'
import { useDatabase } from '../service/database.ts'
import { reservePort } from './port.ts'
import { secretKey } from '../service/test-settings.ts'
import { startMain } from './service-process.ts'
import type { ServiceProcess } from './service-process.ts'

/** Two processes of the service on one database, behind one load balancer. */
export interface ServicePair {
  /** The URL of the load balancer, which is AUTH_URL of both processes. */
  url: string
  database: OpenDatabase
  /** The port of each process. */
  ports: readonly number[]
  /** Sends SIGKILL to a process and starts another one in its slot. */
  replace(slot: 0 | 1): Promise<void>
  /** Sends SIGTERM to a process and returns its exit status. */
  stop(slot: 0 | 1): Promise<number | null>
  /** Sends all requests to one process from now on. */
  useOnly(slot: 0 | 1): Promise<void>
}

interface PairOptions {
  /** By how many milliseconds the clock of each process differs from the real one. */
  clockShifts?: readonly [number, number]
  /** More processes than two. */
  processes?: number
}

/** Runs two processes during the tests of this file, with the default settings except these. */
export function usePair(settings: Record<string, string> = {}, { clockShifts = [0, 0], processes = 2 }: PairOptions = {}): ServicePair {
  const { poolConfig, url: databaseUrl } = useDatabase()
  const database = openClient(poolConfig)
  const balancer = createBalancer()
  const running: ServiceProcess[] = []
  const ports: number[] = []

  async function start(slot: number): Promise<void> {
    const shift = clockShifts[slot] ?? 0
    const { port, release } = reservePort()
    release()
    const service = startMain({
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey,
      AUTH_URL: balancer.origin,
      DATA_DIR: path.join(inject('runFolder'), `pair-${process.pid}`),
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      ...settings,
      ...(shift !== 0 && shiftedClock(shift)),
    })
    running[slot] = service
    await service.origin
    ports[slot] = port
    balancer.targets[slot] = port
  }
  async function kill({ signal, ended }: ServiceProcess): Promise<void> {
    signal('SIGKILL')
    await ended
  }

  beforeAll(async () => {
    await balancer.listen()
    await Promise.all(Array.from({ length: processes }, (_, slot) => start(slot)))
  })
  afterAll(async () => {
    await Promise.all(running.map(kill))
    await balancer.close()
    await database.close()
  })
  return {
    url: balancer.origin,
    database,
    ports,
    async replace(slot) {
      const previous = running[slot]
      if (previous) await kill(previous)
      await start(slot)
    },
    async stop(slot) {
      running[slot]?.signal('SIGTERM')
      return (await running[slot]?.ended) ?? null
    },
    async useOnly(slot) {
      balancer.targets.fill(ports[slot] ?? 0)
      await balancer.disconnect()
    },
  }
}

/** The settings of a service whose clock differs from the real one. */
export const shiftedClock = (milliseconds: number) => ({
  NODE_OPTIONS: `--import ${pathToFileURL(path.join(import.meta.dirname, 'shift-clock.ts')).href}`,
  CLOCK_SHIFT_MILLISECONDS: String(milliseconds),
})

import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { openClient } from '../../../../prisma/connection/database.ts'
import { useDatabase } from '../../service/database.ts'
import type { TestService } from '../../service/service.ts'
import { secretKey } from '../../service/test-settings.ts'
import { reservePort } from '../port.ts'
import { startMain } from '../service-process.ts'
import type { ServiceProcess } from '../service-process.ts'

/** A service in a process of its own, whose turns of the event loop are measured. */
export interface MeasuredService extends Pick<TestService, 'url' | 'database' | 'databaseUrl'> {
  clock: Pick<TestService['clock'], 'now'>
  /** Fails if the event loop is blocked for too long while `send` runs, which must have the same result each time. */
  expectShortTurns<Result>(send: () => Promise<Result>): Promise<Result>
}

/** Milliseconds of processor time in which a process may serve nothing else. */
const maxTurn = 250
/** A turn can take longer than its work, because of the compiler or of garbage collection. The shortest attempt counts. */
const attempts = 3

/** Runs one process of the service during the tests of this file, with the default settings except these. */
export function useMeasuredService(settings: Record<string, string> = {}): MeasuredService {
  const { poolConfig, url: databaseUrl } = useDatabase()
  const database = openClient(poolConfig)
  const [service, measure] = [reservePort(), reservePort()]
  const url = `http://127.0.0.1:${service.port}`
  let running: ServiceProcess | undefined
  beforeAll(async () => {
    service.release()
    measure.release()
    running = startMain({
      PORT: String(service.port),
      MEASURE_PORT: String(measure.port),
      NODE_OPTIONS: `--import ${pathToFileURL(path.join(import.meta.dirname, 'measure-turns.ts')).href}`,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey,
      AUTH_URL: url,
      DATA_DIR: path.join(inject('runFolder'), `measured-${service.port}`),
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      ...settings,
    })
    await running.origin
  })
  afterAll(async () => {
    running?.signal('SIGKILL')
    await running?.ended
    await database.close()
  })
  const longestTurn = async () => Number(await (await fetch(`http://127.0.0.1:${measure.port}`)).text())
  async function expectShortTurns<Result>(send: () => Promise<Result>): Promise<Result> {
    const turns: number[] = []
    for (;;) {
      await longestTurn()
      const result = await send()
      turns.push(await longestTurn())
      if (Math.min(...turns) <= maxTurn) return result
      if (turns.length === attempts) expect.fail(`The event loop was blocked for ${turns.join(', ')} ms.`)
    }
  }
  return { url, database, databaseUrl, clock: { now: () => new Date() }, expectShortTurns }
}

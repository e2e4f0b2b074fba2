import pg from 'pg'
import { urlConnection } from '../../../src/database/connection.ts'
import { startHandWritten, startService } from '../contestants/start.ts'
import type { Contestant } from '../contestants/start.ts'
import type { HandWritten } from '../contestants/titles.ts'
import { openBenchDatabase } from '../data/database.ts'
import type { BenchDatabase } from '../data/database.ts'
import { seedWorkload } from '../data/issuer.ts'
import { seedOAuth } from '../data/seed-oauth.ts'
import { seed } from '../data/seed.ts'
import type { Sizes } from '../data/sizes.ts'
import { connections } from '../requests/request.ts'
import type { SeededData } from '../requests/request.ts'
import { startLoad } from './load.ts'
import type { Tools } from './rounds.ts'

/** The database with its data, and the processes that are measured. */
export interface Bench {
  sizes: Sizes
  database: BenchDatabase
  data: SeededData
  service: Contestant
  tools: Tools
  /** Returns the hand-written contestant of this name, and starts it if it does not run. */
  handWritten(name: HandWritten): Promise<Contestant>
}

/** Creates the data and starts the service. Everything ends with `running`. */
export async function openBench(sizes: Sizes, running: AsyncDisposableStack): Promise<Bench> {
  const database = await openBenchDatabase(process.env.BENCH_DATABASE_URL)
  running.defer(database.close)
  const control = new pg.Client(urlConnection(database.url))
  await control.connect()
  running.defer(() => control.end())
  const tokens = await seed(control, sizes)
  const service = await startService(database)
  running.defer(service.stop)
  const data: SeededData = {
    ...tokens,
    origin: service.origin,
    oauth: await seedOAuth(control, service.origin, 2 * connections),
    workload: await seedWorkload(control, running),
  }
  const load = startLoad()
  running.defer(load.stop)
  const started = new Map<HandWritten, Contestant>()
  return {
    sizes,
    database,
    data,
    service,
    tools: { load, control },
    async handWritten(name) {
      const known = started.get(name)
      if (known) return known
      const contestant = await startHandWritten(name, database, service.origin)
      running.defer(contestant.stop)
      started.set(name, contestant)
      return contestant
    },
  }
}

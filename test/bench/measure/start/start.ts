import path from 'node:path'
import { serviceSettings } from '../../contestants/start.ts'
import type { Bench } from '../bench.ts'
import { secondsToFirstResponse } from './first-response.ts'
import type { GrowthResult } from '../growth.ts'
import { spreadOf } from '../statistics.ts'

const starts = 5

/** Measures the time from the start of the process to the first response, for starts after the first one. */
export async function measureStart({ database }: Bench, kind: 'embedded' | 'postgresql'): Promise<GrowthResult> {
  const { DATABASE_URL, ...settings } = serviceSettings(database)
  const folder = path.join(database.folder, `start-${kind}`)
  const environment = { ...settings, DATA_DIR: folder, ...(kind === 'postgresql' && { DATABASE_URL }) }
  await secondsToFirstResponse(environment)
  const seconds: number[] = []
  for (let count = 0; count < starts; count++) seconds.push(await secondsToFirstResponse(environment))
  return {
    name: `start-${kind}`,
    title: `start to first response, second start: ${kind === 'embedded' ? 'embedded PostgreSQL' : 'PostgreSQL at DATABASE_URL'}`,
    unit: 's',
    value: spreadOf(seconds),
    goal: { bound: '≤', value: 0.7 },
  }
}

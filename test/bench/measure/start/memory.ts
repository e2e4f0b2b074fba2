import { setTimeout as delay } from 'node:timers/promises'
import { startService } from '../../contestants/start.ts'
import { allRequests } from '../../requests/all.ts'
import type { Bench } from '../bench.ts'
import { residentMegabytes } from '../cpu.ts'
import type { GrowthResult } from '../growth.ts'
import { spreadOf } from '../statistics.ts'

const secondsPerRequest = 3
const sampleMilliseconds = 100
const restMilliseconds = 5_000

/** Measures the resident memory of a service process of its own: at rest, under every request in turn, and some time after. */
export async function measureMemory({ database, data, tools }: Bench): Promise<GrowthResult[]> {
  const service = await startService(database)
  const samples: number[] = []
  const timer = setInterval(() => samples.push(residentMegabytes(service.pid)), sampleMilliseconds)
  const result = (name: string, title: string, values: readonly number[], goal: GrowthResult['goal'] = null): GrowthResult => {
    return { name, title, unit: 'MB', value: spreadOf(values), goal }
  }
  try {
    await delay(restMilliseconds)
    const atRest = samples.splice(0)
    for (const request of allRequests) {
      const scripts = request.scripts(data, 'memory')
      if (scripts.length > 0) await tools.load.run([{ port: service.port, seconds: secondsPerRequest, atLeast: 0, scripts }])
    }
    const underLoad = samples.splice(0)
    await delay(restMilliseconds)
    return [
      result('memory-at-start', 'memory after the start', [Math.max(...atRest)]),
      result('memory', 'memory under load, at most', [Math.max(...underLoad)], { bound: '≤', value: 220 }),
      result('memory-after', 'memory 5 s after the load', [residentMegabytes(service.pid)]),
    ]
  } finally {
    clearInterval(timer)
    await service.stop()
  }
}

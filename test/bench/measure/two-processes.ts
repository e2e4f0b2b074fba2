import { startHandWritten, startService } from '../contestants/start.ts'
import type { Contestant } from '../contestants/start.ts'
import { growthReference } from '../requests/growth.ts'
import type { Bench } from './bench.ts'
import type { GrowthResult } from './growth.ts'
import { cpuOf } from './requests.ts'
import { measureInRounds } from './rounds.ts'
import type { Duration } from './rounds.ts'
import { spreadOf } from './statistics.ts'
import type { Spread } from './statistics.ts'

/**
 * Compares two processes with each of them alone. On few cores they share them with the load and PostgreSQL, so that two processes
 * of any program need more CPU per request: the goal is that the service needs no more than limit-rows, whose
 * processes share nothing but the machine.
 */
export async function measureTwoProcesses(bench: Bench, duration: Duration): Promise<GrowthResult[]> {
  const { database, service, data } = bench
  const scripts = growthReference(data)
  const ofService = await compare(bench, duration, service, await startService(database))
  const second = await startHandWritten('limit-rows', database, service.origin)
  const ofLimitRows = await compare(bench, duration, await bench.handWritten('limit-rows'), second)
  const row = (title: string, value: Spread, goal: GrowthResult['goal'] = null): GrowthResult => {
    return { name: 'two-processes', title: `CPU per members request, two processes ÷ one, ${title}`, unit: '', value, goal }
  }
  const [each, half] = [`${scripts.length} connections each`, `${scripts.length / 2} instead of ${scripts.length} connections each`]
  return [
    row(`${each}: the service ÷ limit-rows`, ratioOf(ofService.all, ofLimitRows.all), { bound: '≤', value: 1 }),
    row(`${each}: the service`, ofService.all),
    row(`${each}: limit-rows`, ofLimitRows.all),
    row(`${half}: the service`, ofService.half),
    row(`${half}: limit-rows`, ofLimitRows.half),
  ]
}

/** The ratio of the medians; the two were not measured in the same rounds. */
function ratioOf(value: Spread, reference: Spread): Spread {
  return { median: value.median / reference.median, min: value.min / reference.max, max: value.max / reference.min }
}

/** CPU per request of two processes divided by that of one, with as many connections each and with half of them. */
async function compare({ data, tools }: Bench, duration: Duration, first: Contestant, second: Contestant) {
  try {
    const scripts = growthReference(data)
    const both = [first, second]
    const subjects = [
      ...both.map((server) => ({ servers: [server], scripts })),
      { servers: both, scripts: [...scripts, ...scripts] },
      { servers: both, scripts },
    ]
    // The second process is new. Its code has to be as warm as that of the first.
    const warmUp = { seconds: 2 * duration.warmUp.seconds, atLeast: 5_000 }
    const runs = await measureInRounds(subjects, { ...duration, warmUp }, tools)
    const [one = [], other = [], all = [], half = []] = runs.map((slices) => slices.map(cpuOf))
    const ofOne = (cpu: readonly number[]) =>
      spreadOf(cpu.map((each, round) => (2 * each) / ((one[round] ?? Number.NaN) + (other[round] ?? Number.NaN))))
    return { all: ofOne(all), half: ofOne(half) }
  } finally {
    await second.stop()
  }
}

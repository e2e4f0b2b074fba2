import { startHandWritten, startService } from '../contestants/start.ts'
import type { Contestant } from '../contestants/start.ts'
import { growthReference } from '../requests/growth.ts'
import type { Bench } from './bench.ts'
import type { GrowthResult } from './growth.ts'
import { cpuOf } from './requests.ts'
import { measureInRounds } from './rounds.ts'
import type { Duration } from './rounds.ts'
import { spreadOf } from './statistics.ts'

/** Compares two processes with each of them alone: they should need no more CPU per request. */
export async function measureTwoProcesses(bench: Bench, duration: Duration): Promise<GrowthResult[]> {
  const { database, service } = bench
  const ofService = await compare(bench, duration, 'the service', 1, service, await startService(database))
  // The same for a program whose processes share nothing but the machine.
  const other = await startHandWritten('limit-rows', database, service.origin)
  return [...ofService, ...(await compare(bench, duration, 'limit-rows', null, await bench.handWritten('limit-rows'), other))]
}

async function compare(
  { data, tools }: Bench,
  duration: Duration,
  program: string,
  goal: number | null,
  first: Contestant,
  second: Contestant,
): Promise<GrowthResult[]> {
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
    const [one = [], other = [], separate = [], shared = []] = runs.map((slices) => slices.map(cpuOf))
    const result = (connections: string, cpu: readonly number[], bound: GrowthResult['goal']): GrowthResult => ({
      name: 'two-processes',
      title: `CPU per members request of ${program}, two processes ÷ one, ${connections}`,
      unit: '',
      value: spreadOf(cpu.map((each, round) => (2 * each) / ((one[round] ?? Number.NaN) + (other[round] ?? Number.NaN)))),
      goal: bound,
    })
    return [
      result(`${scripts.length} connections each`, separate, goal === null ? null : { bound: '≤', value: goal }),
      result(`${scripts.length / 2} instead of ${scripts.length} connections each`, shared, null),
    ]
  } finally {
    await second.stop()
  }
}

import { growthReference, growthRequests } from '../requests/growth.ts'
import { startService } from '../contestants/start.ts'
import type { Bench } from './bench.ts'
import { cpuOf, ratiosOf } from './requests.ts'
import { measureInRounds } from './rounds.ts'
import type { Duration } from './rounds.ts'
import { spreadOf } from './statistics.ts'
import type { Spread } from './statistics.ts'

/** A value of the service alone, with its goal: at least or at most. */
export interface GrowthResult {
  name: string
  title: string
  unit: '' | 'MB' | 's'
  value: Spread
  goal: { bound: '≥' | '≤'; value: number } | null
}

/** Measures how requests slow down with more data, all in the same rounds. */
export async function measureGrowth(
  { sizes, data, service, tools }: Bench,
  duration: Duration,
  isSelected: (name: string) => boolean,
): Promise<GrowthResult[]> {
  const selected = growthRequests(sizes).filter(({ name }) => isSelected(name))
  if (selected.length === 0) return []
  const subjects = [{ scripts: growthReference }, ...selected].map(({ scripts }) => ({ servers: [service], scripts: scripts(data) }))
  const [reference = [], ...others] = await measureInRounds(subjects, duration, tools)
  return selected.map(({ name, title, goal }, index) => ({
    name,
    title,
    unit: '',
    value: ratiosOf(others[index] ?? [], reference).requestsPerSecond,
    goal: { bound: '≥', value: goal },
  }))
}

/** Compares two processes that share the connections with each of them alone: together they should need no more CPU per request. */
export async function measureTwoProcesses({ database, data, service, tools }: Bench, duration: Duration): Promise<GrowthResult> {
  const second = await startService(database)
  try {
    const subjects = [[service], [second], [service, second]].map((servers) => ({ servers, scripts: growthReference(data) }))
    // The second process is new. Its code has to be as warm as that of the first.
    const warmUp = { seconds: 2 * duration.warmUp.seconds, atLeast: 5_000 }
    const [first = [], other = [], both = []] = await measureInRounds(subjects, { ...duration, warmUp }, tools)
    const alone = first.flatMap((slice, round) => (other[round] ? [(cpuOf(slice) + cpuOf(other[round])) / 2] : []))
    return {
      name: 'two-processes',
      title: 'CPU per members request, two processes ÷ one',
      unit: '',
      value: spreadOf(both.map((slice, round) => cpuOf(slice) / (alone[round] ?? Number.NaN))),
      goal: { bound: '≤', value: 1 },
    }
  } finally {
    await second.stop()
  }
}

import { growthReference, growthRequests } from '../requests/growth.ts'
import type { Bench } from './bench.ts'
import { ratiosOf } from './requests.ts'
import { measureInRounds } from './rounds.ts'
import type { Duration } from './rounds.ts'
import type { Spread } from './statistics.ts'

/** A value of the service alone, with its goal: at least or at most. */
export interface GrowthResult {
  name: string
  title: string
  unit: '' | 'MB' | 's'
  value: Spread
  goal: { bound: '≥' | '≤'; value: number } | null
}

/** Some goals are 0.95, so the median must vary little: each round is split into this many shorter ones. */
const split = 4

/** Measures how requests slow down with more data, all in the same rounds. */
export async function measureGrowth(
  { sizes, data, service, tools }: Bench,
  { rounds, seconds, atLeast, warmUp }: Duration,
  isSelected: (name: string) => boolean,
): Promise<GrowthResult[]> {
  const selected = growthRequests(sizes).filter(({ name }) => isSelected(name))
  if (selected.length === 0) return []
  const subjects = [{ scripts: growthReference }, ...selected].map(({ scripts }) => ({ servers: [service], scripts: scripts(data) }))
  const short = { rounds: rounds * split, seconds: seconds / split, atLeast: atLeast / split, warmUp }
  const [reference = [], ...others] = await measureInRounds(subjects, short, tools)
  return selected.map(({ name, title, goal }, index) => ({
    name,
    title,
    unit: '',
    value: ratiosOf(others[index] ?? [], reference).requestsPerSecond,
    goal: { bound: '≥', value: goal },
  }))
}

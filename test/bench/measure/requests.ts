import type { Contestant } from '../contestants/start.ts'
import type { BenchRequest, SeededData } from '../requests/request.ts'
import { measureInRounds } from './rounds.ts'
import type { Duration, Slice, Tools } from './rounds.ts'
import { requireSameBodies } from './same-bodies.ts'
import { median, percentile, spreadOf } from './statistics.ts'
import type { Spread } from './statistics.ts'

/** What a contestant achieves: medians over the rounds, and percentiles of all requests. CPU times are microseconds per request. */
export interface Performance extends Omit<Slice, 'latencies'> {
  p50Milliseconds: number
  p99Milliseconds: number
}

/** The service compared with one contestant: more is better, except for p99. */
export interface Ratios {
  requestsPerSecond: Spread
  /** The CPU time per request, of server and database, of the contestant divided by that of the service. */
  cpu: Spread
  /** The 99th percentile of the latencies of the service divided by that of the contestant, of all rounds together. */
  p99: number
}

export interface RequestResult {
  name: string
  performance: Record<string, Performance>
  /** By the name of the contestant. */
  ratios: Record<string, Ratios>
}

/** Measures a request on these contestants, of which the first is the service. */
export async function measureRequest(
  request: BenchRequest,
  data: SeededData,
  contestants: ReadonlyMap<string, Contestant>,
  duration: Duration,
  tools: Tools,
): Promise<RequestResult> {
  await requireSameBodies(request, data, contestants, tools.load)
  const subjects = Array.from(contestants, ([name, contestant]) => ({ servers: [contestant], scripts: request.scripts(data, name) }))
  const [service = [], ...others] = await measureInRounds(subjects, duration, tools)
  const names = Array.from(contestants.keys())
  return {
    name: request.name,
    performance: Object.fromEntries([service, ...others].map((slices, index) => [names[index], performanceOf(slices)])),
    ratios: Object.fromEntries(others.map((slices, index) => [names[index + 1], ratiosOf(service, slices)])),
  }
}

export function performanceOf(slices: readonly Slice[]): Performance {
  const medianOf = (name: keyof Omit<Slice, 'latencies'>) => median(slices.map((slice) => slice[name]))
  return {
    requestsPerSecond: medianOf('requestsPerSecond'),
    p50Milliseconds: percentileOf(slices, 50),
    p99Milliseconds: percentileOf(slices, 99),
    serverCpu: medianOf('serverCpu'),
    databaseCpu: medianOf('databaseCpu'),
  }
}

/** Compares runs of the same round with each other: what else happens on the machine affects both. */
export function ratiosOf(service: readonly Slice[], other: readonly Slice[]): Ratios {
  const pairs = service.flatMap((ours, round) => (other[round] ? [{ ours, theirs: other[round] }] : []))
  return {
    requestsPerSecond: spreadOf(pairs.map(({ ours, theirs }) => ours.requestsPerSecond / theirs.requestsPerSecond)),
    cpu: spreadOf(pairs.map(({ ours, theirs }) => cpuOf(theirs) / cpuOf(ours))),
    p99: percentileOf(service, 99) / percentileOf(other, 99),
  }
}

// Of all rounds together: a pause of the machine makes all connections wait, which is more than a hundredth of a short round.
const percentileOf = (slices: readonly Slice[], percent: number) =>
  percentile(
    slices.flatMap(({ latencies }) => latencies),
    percent,
  )

/** The CPU time per request of server and database. */
export const cpuOf = ({ serverCpu, databaseCpu }: Pick<Slice, 'serverCpu' | 'databaseCpu'>) => serverCpu + databaseCpu

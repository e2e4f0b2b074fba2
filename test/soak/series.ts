import { median } from '../bench/measure/statistics.ts'
import { parseMetrics } from '../support/metrics/prometheus-text.ts'
import type { Sample } from '../support/metrics/prometheus-text.ts'

/** For values that grow until a pool of connections is full, which is not a leak. */
const poolTolerance = { part: 0.1, atLeast: 10 }

/** A value that must not grow under steady traffic. */
export interface Series {
  name: 'heap' | 'resident' | 'descriptors' | 'connections' | 'jobs'
  title: string
  unit: 'MB' | ''
  /** By how much the last third may exceed the first: a fraction of it, or an absolute value if that is more. */
  tolerance: { part: number; atLeast: number }
  read(samples: readonly Sample[]): number
}

const sumOf = (samples: readonly Sample[], name: string, isCounted: (labels: Sample['labels']) => boolean = () => true) =>
  samples.filter((sample) => sample.name === name && isCounted(sample.labels)).reduce((sum, { value }) => sum + value, 0)

export const series: readonly Series[] = [
  {
    name: 'heap',
    title: 'Heap and buffers after a collection',
    unit: 'MB',
    tolerance: { part: 0.1, atLeast: 8 },
    read: (samples) => (sumOf(samples, 'nodejs_heap_size_used_bytes') + sumOf(samples, 'nodejs_external_memory_bytes')) / 1e6,
  },
  {
    name: 'resident',
    title: 'Resident memory',
    unit: 'MB',
    tolerance: { part: 0.15, atLeast: 25 },
    read: (samples) => sumOf(samples, 'process_resident_memory_bytes') / 1e6,
  },
  {
    name: 'descriptors',
    title: 'Open descriptors',
    unit: '',
    tolerance: poolTolerance,
    read: (samples) => sumOf(samples, 'process_open_fds'),
  },
  {
    name: 'connections',
    title: 'Connections of clients, to PostgreSQL and to the mail server',
    unit: '',
    tolerance: poolTolerance,
    read: (samples) => sumOf(samples, 'nodejs_active_resources', ({ type }) => type === 'TCPSocketWrap' || type === 'PipeWrap'),
  },
  {
    name: 'jobs',
    title: 'Jobs that wait',
    unit: '',
    tolerance: { part: 0, atLeast: 5 },
    read: (samples) => sumOf(samples, 'team_account_jobs'),
  },
]

/** The values of one moment, by name of the series. */
export type Moment = { seconds: number } & Record<Series['name'], number>

/** Reads all values from the metrics of the service. */
export function momentOf(seconds: number, metrics: string): Moment {
  const samples = parseMetrics(metrics)
  const moment: Moment = { seconds, heap: 0, resident: 0, descriptors: 0, connections: 0, jobs: 0 }
  for (const { name, read } of series) moment[name] = read(samples)
  return moment
}

export interface Verdict {
  series: Series
  /** Medians of the first and the last third. */
  first: number
  last: number
  max: number
  allowed: number
  grows: boolean
}

/** Compares the medians of the first and the last third of each series: single peaks do not count, steady growth does. */
export function judge(moments: readonly Moment[]): Verdict[] {
  const third = Math.floor(moments.length / 3)
  if (third === 0) throw new Error('too few moments')
  return series.map((each) => {
    const values = moments.map((moment) => moment[each.name])
    const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))]
    const allowed = Math.max(first * each.tolerance.part, each.tolerance.atLeast)
    // A value that is missing in the metrics is NaN or 0 throughout, and proves nothing.
    const isMeasured = each.name === 'jobs' ? values.every(Number.isFinite) : values.every((value) => value > 0)
    return { series: each, first, last, max: Math.max(...values), allowed, grows: !isMeasured || last - first > allowed }
  })
}

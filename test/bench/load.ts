import { createRequire } from 'node:module'

/** One run of load against one address. */
export interface LoadOrder {
  url: string
  token: string
  connections: number
  seconds: number
}

/** What came of it; anything but a 2xx makes the measurement worthless. */
export interface LoadResult {
  requestsPerSecond: number
  failures: number
}

// autocannon brings no types.
type Autocannon = (options: {
  url: string
  connections: number
  duration: number
  /** Milliseconds between looks at the clock: how late the end of a run is noticed, at most. */
  sampleInt: number
  headers: Record<string, string>
}) => Promise<{
  '2xx': number
  start: Date
  finish: Date
  non2xx: number
  errors: number
}>
const require = createRequire(import.meta.url)
const autocannon = require('autocannon') as Autocannon

/** A process of its own that lives through the whole benchmark, so that the load is as warm as what it measures. */
process.on('message', (order: LoadOrder) => void run(order))

async function run({ url, token, connections, seconds }: LoadOrder): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const result = await autocannon({ url, connections, duration: seconds, sampleInt: 50, headers })
  const answer: LoadResult = {
    requestsPerSecond: result['2xx'] / ((result.finish.getTime() - result.start.getTime()) / 1000),
    failures: result.non2xx + result.errors,
  }
  process.send?.(answer)
}

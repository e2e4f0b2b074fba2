import { runConnection } from './connection.ts'
import type { Script } from './connection.ts'

/** Requests to one server, each connection with a script of its own: for some time, and longer until there are enough. */
export interface LoadRun {
  port: number
  seconds: number
  /** The least number of requests: on a busy machine a run takes longer instead of having too few. */
  atLeast: number
  scripts: readonly Script[]
}

export interface LoadResult {
  seconds: number
  /** Of each request, in milliseconds. */
  latencies: number[]
  /** The last response on the first connection. */
  body: string
  /** Why the run is not valid: a response that is not 2xx, or a lost connection. */
  failure: string | null
}

// One process generates the load of the whole benchmark, so that its code is as warm as the code that it measures.
process.on('message', (runs: LoadRun[]) => void Promise.all(runs.map(execute)).then((results) => process.send?.(results)))
process.once('disconnect', () => process.exit())

async function execute({ port, seconds, atLeast, scripts }: LoadRun): Promise<LoadResult> {
  const latencies: number[] = []
  const start = performance.now()
  const isOver = () => performance.now() >= start + seconds * 1000 && latencies.length >= atLeast
  let failure: string | null = null
  let body = ''
  try {
    ;[body = ''] = await Promise.all(scripts.map((script) => runConnection(port, script, isOver, latencies)))
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
  }
  return { seconds: (performance.now() - start) / 1000, latencies, body, failure }
}

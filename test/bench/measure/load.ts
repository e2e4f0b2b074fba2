import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { LoadResult, LoadRun } from './load-process.ts'

export interface Load {
  /** Runs the loads at the same time. Throws if any request failed. */
  run(runs: readonly LoadRun[]): Promise<LoadResult[]>
  stop(): void
}

/** Starts the process that generates the load. */
export function startLoad(): Load {
  const child = fork(path.join(import.meta.dirname, 'load-process.ts'), { env: { PATH: process.env.PATH } })
  return {
    async run(runs) {
      child.send(runs)
      const [results]: [LoadResult[]] = (await once(child, 'message')) as [LoadResult[]]
      for (const { failure } of results) if (failure !== null) throw new Error(failure)
      return results
    },
    stop: () => child.disconnect(),
  }
}

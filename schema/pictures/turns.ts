import { rateLimited } from '../core/errors.ts'

/** Limits how much work runs at the same time, because each piece needs much memory. */
export interface Turns {
  /** Runs `work` when its turn comes. Throws `rate_limited` if too much is waiting. */
  take<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Creates turns for this process: `running` at once, and `waiting` more in the order in which they came. */
export function createTurns(running: number, waiting: number): Turns {
  const queue: (() => void)[] = []
  let count = 0
  return {
    async take(work) {
      if (count < running) count += 1
      else if (queue.length >= waiting) throw rateLimited({ policy: 'pictures', quota: running + waiting, windowSeconds: 60 }, 60)
      // Finished work passes its turn on, so the count does not change.
      else await new Promise<void>((resolve) => queue.push(resolve))
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next) next()
        else count -= 1
      }
    },
  }
}

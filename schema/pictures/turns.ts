import { rateLimited } from '../core/errors.ts'

/** Runs work of which only so much may be in progress, because each needs much memory. */
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
      // Who leaves passes the turn on, so the count stays.
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

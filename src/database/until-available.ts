import { setTimeout as pause } from 'node:timers/promises'
import { isDiskFull, isUnavailable } from '../../prisma/connection/availability.ts'

const limitMilliseconds = 30_000
const pauseMilliseconds = 250

/**
 * Repeats `work` for at most half a minute while the database is too slow for the time limits of the service. These suit requests. A start
 * has no client that could repeat it, and often several processes start at once.
 */
export async function untilAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + limitMilliseconds
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || isDiskFull(error) || performance.now() > deadline) throw error
      await pause(pauseMilliseconds)
    }
  }
}

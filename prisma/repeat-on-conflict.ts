import { setTimeout as pause } from 'node:timers/promises'
import { isConflict } from './availability.ts'

const maxAttempts = 3
const pauseMilliseconds = 25

/**
 * Runs a whole transaction, and again if PostgreSQL rolled it back because of a conflict with another one. The pause before is random,
 * so that two that conflicted do not meet again.
 */
export async function repeatOnConflict<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw error
      await pause(Math.random() * pauseMilliseconds * 2 ** attempt)
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { isConflict } from '../connection/availability.ts'

const maxAttempts = 3
const pauseMilliseconds = 25

/**
 * Runs a whole transaction. Runs it again if PostgreSQL rolled it back because of a conflict with another transaction. The pause
 * before a repetition is random, so that the same two transactions do not conflict again.
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

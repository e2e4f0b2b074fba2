import { guesserOf } from '../../guesses.ts'
import { inWords } from '../sign-in/guess.ts'
import type { Visit } from '../visit.ts'

/**
 * Counts what anybody may ask for, and what costs a hash or a mail, by the address it comes from: as a guess that is not
 * given back. Throws `rate_limited` beyond the limit.
 */
export const countAsking = async (_: unknown, { site, request }: Visit): Promise<void> =>
  inWords(() => site.guesses.signUp.attempt(guesserOf(request.ip)))

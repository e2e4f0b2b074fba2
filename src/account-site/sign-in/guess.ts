import { DomainError } from '../../../schema/errors.ts'
import { guesserOf } from '../../guesses.ts'
import type { GuessLimit } from '../../guesses.ts'
import type { Visit } from '../visit.ts'
import { inMinutes } from '../words.ts'
import { verifyPassword } from './password.ts'
import type { RightPassword } from './password.ts'

/**
 * What `judge` makes of a guess at an account; null for a wrong one. It is counted before it is judged, by the address it
 * comes from and by `account`; beyond a limit throws `rate_limited`, which locks nobody out for good.
 */
export async function judged<Right>(
  { site, request }: Visit,
  limit: GuessLimit,
  account: string,
  judge: () => Promise<Right | null>,
): Promise<Right | null> {
  const { signInAddress } = site.guesses
  const address = guesserOf(request.ip)
  await inWords(async () => {
    // The address first: one that is out of guesses uses up nobody's account.
    await signInAddress.attempt(address)
    await limit.attempt(account)
  })
  const right = await judge()
  if (right !== null) await Promise.all([signInAddress.forgive(address), limit.clear(account)])
  return right
}

/** The person whose address and password these are, else null. Throws `rate_limited` beyond the limit of guesses. */
export const verifyGuess = (visit: Visit, email: string, password: string): Promise<RightPassword | null> =>
  // As an account's address is compared: however it is written, it counts as one.
  judged(visit, visit.site.guesses.signInAccount, email.trim().toLowerCase(), () => verifyPassword(visit.site.database, email, password))

/** Counts, and says to people how long to wait where a limit is met. */
export async function inWords(count: () => Promise<void>): Promise<void> {
  try {
    await count()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'rate_limited') throw error
    const { details } = error
    throw new DomainError('rate_limited', `Too many attempts. Try again in ${inMinutes(details.retryAfterSeconds ?? 1)}.`, details)
  }
}

/** Seconds after a failed attempt until the next one; then always the last. */
const delays = [5, 300, 1800, 7200, 18_000, 36_000]
/** Seconds after the first attempt, after which an event is given up. */
const maxSeconds = 3 * 86_400
/** The longest that an endpoint can ask to wait, in seconds. */
const maxRetryAfter = 3600

interface Failure {
  /** Attempts so far. */
  attempts: number
  firstAt: Date
  at: Date
  retryAfterSeconds: number
}

/**
 * When a failed event is attempted again; null if it is given up. Varied by a fifth, so that events that failed together do not come back
 * together. `random` is from 0 to 1.
 */
export function nextAttempt({ attempts, firstAt, at, retryAfterSeconds }: Failure, random = Math.random()): Date | null {
  const seconds = (delays[attempts - 1] ?? 36_000) * (0.8 + 0.4 * random)
  const next = at.getTime() + Math.max(seconds, Math.min(retryAfterSeconds, maxRetryAfter)) * 1000
  return next <= firstAt.getTime() + maxSeconds * 1000 ? new Date(next) : null
}

/** Delays in seconds between a failed attempt and the next one. The last value repeats. */
const delays = [5, 300, 1800, 7200, 18_000, 36_000]
/** Seconds from the first attempt until the service gives up an event. */
const maxSeconds = 3 * 86_400
/** Longest delay that an endpoint can request, in seconds. */
const maxRetryAfter = 3600

interface Failure {
  /** Number of attempts so far. */
  attempts: number
  firstAt: Date
  at: Date
  retryAfterSeconds: number
}

/**
 * Returns when a failed event is attempted again; null if it is given up. The delay varies by a fifth, so that events that failed together
 * are not retried together. `random` is from 0 to 1.
 */
export function nextAttempt({ attempts, firstAt, at, retryAfterSeconds }: Failure, random = Math.random()): Date | null {
  const seconds = (delays[attempts - 1] ?? 36_000) * (0.8 + 0.4 * random)
  const next = at.getTime() + Math.max(seconds, Math.min(retryAfterSeconds, maxRetryAfter)) * 1000
  return next <= firstAt.getTime() + maxSeconds * 1000 ? new Date(next) : null
}

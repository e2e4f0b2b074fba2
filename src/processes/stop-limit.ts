import type { Logger } from 'pino'

/** Seconds in which a process ends after a stop signal. Kubernetes kills it after 30 seconds by default. */
export const stopSeconds = 25

/** Time in which requests in progress, and then jobs in progress, can finish after a stop signal. The total is less than `stopSeconds`. */
export const requestGraceSeconds = 15
export const jobGraceSeconds = 8

/** Ends the process if it does not stop in time. The effect is that of a crash: no committed change is lost. */
export function limitStop(log: Logger): void {
  setTimeout(() => {
    log.error(`the process did not stop within ${stopSeconds} s and ends now`)
    process.exit(1)
  }, stopSeconds * 1000).unref()
}

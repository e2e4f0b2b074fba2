import { runOutsideRequests } from '../../../schema/core/observation/outside-requests.ts'

const delayMilliseconds = 1_000

/**
 * Writes what requests collect in memory, at most once a second and without delaying requests, so a crash loses at most one second of it.
 * Errors of `write` are reported.
 */
export function createDelayedWrite(write: () => Promise<void>, report: (error: unknown) => void) {
  const runOutsideRequest = runOutsideRequests()
  let timer: NodeJS.Timeout | undefined
  /** The last write that a timer started. */
  let started: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    timer = undefined
    try {
      await write()
    } catch (error) {
      report(error)
    }
  }

  return {
    /** Writes within a second. */
    start(): void {
      timer ??= setTimeout(() => {
        started = runOutsideRequest(run)
      }, delayMilliseconds)
    },
    /** Writes what is still in memory. The pool ends after this, so a write that has started must end before. */
    async close(): Promise<void> {
      clearTimeout(timer)
      await started
      await run()
    },
  }
}

/** Work that a process repeats in the background. */
export interface PeriodicWork<Result> {
  /** Works every minute. The first run is after a random part of a minute, since processes are often started together. */
  start(): void
  /** Works now. A run that is in progress is not started a second time. */
  run(): Promise<Result>
  /** Stops after the current run. */
  close(): Promise<void>
}

const minuteMilliseconds = 60_000

/** Repeats work. `work` never rejects, and returns early when `isClosing` becomes true. */
export function everyMinute<Result>(work: (isClosing: () => boolean) => Promise<Result>): PeriodicWork<Result> {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<Result> | null = null
  let isClosing = false

  const run = () => (running ??= work(() => isClosing).finally(() => (running = null)))
  function schedule(milliseconds: number): void {
    if (isClosing) return
    timer = setTimeout(() => void run().then(() => schedule(minuteMilliseconds)), milliseconds).unref()
  }

  return {
    start: () => schedule(Math.random() * minuteMilliseconds),
    run,
    async close() {
      isClosing = true
      clearTimeout(timer)
      await running
    },
  }
}

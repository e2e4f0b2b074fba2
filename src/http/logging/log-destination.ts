import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { observe } from '../../../schema/core/observation/observation.ts'
import { hasCode } from '../../config/error-message.ts'

// Replaces pino.destination, which repeats a failed write for ever, so that a full disk or a closed terminal stops the whole process.

/** Maximum size of the lines that wait for a slow reader. */
const maxWaitingBytes = 250_000
const retryMilliseconds = 20
/** Time that a slow reader has to read the waiting lines at the exit of the process. */
const exitMilliseconds = 500

const standardError = 2

/**
 * Writes lines to standard error without ever waiting or throwing. A line that cannot be written is lost and counted. `onRestored` receives
 * the number of lost lines once, before the first line that is written again; the line that it writes about them is not counted.
 */
export function createLogDestination(onRestored: (lost: number) => void): { write(line: string): void } {
  const file = openWithoutWaiting()
  const waiting: Buffer[] = []
  let waitingBytes = 0
  /** The rest of a line that was written in part. */
  let rest: Buffer = Buffer.alloc(0)
  let isTorn = false
  let lost = 0
  /** Number of lost lines that a report in progress is about. */
  let reporting = 0
  let retry: NodeJS.Timeout | undefined
  let flushesAtExit = false

  function lose(): void {
    if (reporting > 0) return void (lost = reporting)
    lost++
    observe('logLineLost', {})
  }

  function report(): void {
    reporting = lost
    lost = 0
    onRestored(reporting)
    reporting = 0
  }

  /** Writes as much as the file accepts. Returns false if it currently accepts no more, for example a pipe with a slow reader. */
  function flush(): boolean {
    for (;;) {
      if (rest.length === 0) {
        const line = waiting.shift()
        if (!line) return true
        waitingBytes -= line.length
        rest = isTorn ? Buffer.concat([Buffer.from('\n'), line]) : line
      }
      try {
        const count = writeSync(file, rest)
        rest = rest.subarray(count)
        isTorn = rest.length > 0
      } catch (error) {
        if (hasCode(error, 'EAGAIN')) return false
        rest = Buffer.alloc(0)
        lose()
      }
    }
  }

  function flushLater(): void {
    retry = setTimeout(() => {
      retry = undefined
      if (!flush()) flushLater()
      else if (lost > 0) report()
    }, retryMilliseconds).unref()
    if (!flushesAtExit) process.once('exit', flushAtExit)
    flushesAtExit = true
  }

  function flushAtExit(): void {
    const deadline = performance.now() + exitMilliseconds
    while (!flush() && performance.now() < deadline) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMilliseconds)
  }

  return {
    write(line) {
      if (lost > 0 && !retry) report()
      const bytes = Buffer.from(line)
      // After a lost line no line waits, so that the report is in the place of the lost lines.
      if (retry && (lost > 0 || waitingBytes + bytes.length > maxWaitingBytes)) return lose()
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (!retry && !flush()) flushLater()
    },
  }
}

/**
 * Opens standard error once more if writing to it can wait for a reader. A flag of the original descriptor would also apply to the other
 * processes that have it. Other files, and those that cannot be opened, such as a pipe of another user, are used unchanged.
 */
function openWithoutWaiting(): number {
  try {
    const kind = fstatSync(standardError)
    if (!kind.isFIFO() && !kind.isCharacterDevice()) return standardError
    return openSync(`/proc/self/fd/${standardError}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return standardError
  }
}

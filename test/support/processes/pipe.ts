import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, writeSync } from 'node:fs'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { hasCode } from '../../../src/config/error-message.ts'

export function closeAtEnd(descriptor: number): number {
  onTestFinished(() => closeSync(descriptor))
  return descriptor
}

/** A pipe for the output of a child process. The test closes `reader`, which never waits. */
export function createPipe(): { output: number; reader: number } {
  const file = path.join(mkdtempSync(path.join(inject('runFolder'), 'pipe-')), 'pipe')
  execFileSync('mkfifo', [file])
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  return { output: closeAtEnd(openSync(file, 'w')), reader }
}

/** A descriptor of a pipe that nothing reads. */
export function createClosedPipe(): number {
  const { output, reader } = createPipe()
  closeSync(reader)
  return output
}

/** A descriptor of a pipe that has a reader, which reads nothing, and no space left. */
export function createFullPipe(): number {
  const { output, reader } = createPipe()
  closeAtEnd(reader)
  fillPipe(output)
  return output
}

export function fillPipe(output: number): void {
  const descriptor = openSync(`/proc/self/fd/${output}`, constants.O_WRONLY | constants.O_NONBLOCK)
  try {
    // Single bytes at the end: a longer write needs a free page.
    for (const size of [4096, 1]) while (isWritten(descriptor, size));
  } finally {
    closeSync(descriptor)
  }
}

function isWritten(descriptor: number, size: number): boolean {
  try {
    return writeSync(descriptor, Buffer.alloc(size, '\n')) > 0
  } catch (error) {
    if (hasCode(error, 'EAGAIN')) return false
    throw error
  }
}

/** Reads the text that the pipe contains now. */
export function readAll(reader: number): string {
  const chunk = Buffer.alloc(1_000_000)
  let text = ''
  try {
    for (let count = 1; count > 0;) {
      count = readSync(reader, chunk)
      text += chunk.toString('utf8', 0, count)
    }
  } catch (error) {
    if (!hasCode(error, 'EAGAIN')) throw error
  }
  return text
}

import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync } from 'node:fs'
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

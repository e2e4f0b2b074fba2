import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../failure.ts'

/** Writes text to standard output; false when its reader went away before the end, as `head` does. */
export async function writeToStdout(pieces: AsyncIterable<string> | string[]): Promise<boolean> {
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false })
    return true
  } catch (error) {
    if (hasCode(error, 'EPIPE')) return false
    throw error
  }
}

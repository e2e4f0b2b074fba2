import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../../config/error-message.ts'
import { currentTerminal } from './terminal.ts'

/** Writes to standard output; false if its reader closed the pipe before the end, as `head` does, or the terminal is closed. */
export async function writeToStdout(chunks: AsyncIterable<string | Uint8Array> | string[]): Promise<boolean> {
  try {
    await pipeline(Readable.from(chunks), currentTerminal().stdout, { end: false })
    return true
  } catch (error) {
    if (hasCode(error, 'EPIPE', 'EIO')) return false
    throw error
  }
}

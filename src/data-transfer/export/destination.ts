import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { Stats } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../../config/error-message.ts'

/**
 * Writes to a file that only its owner can read. A file that exists is replaced after everything is written; with `isNew`, it stays
 * unchanged, and EEXIST is thrown. Pipes and devices are written to directly.
 */
export async function writeToFile(file: string, chunks: AsyncIterable<string | Uint8Array>, { isNew = false } = {}): Promise<void> {
  if (!(await isRegular(file))) return pipeline(Readable.from(chunks), createWriteStream(file))
  const draft = `${file}.${randomUUID()}`
  try {
    await pipeline(Readable.from(chunks), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
    // The file is created first, because a rename replaces another process's file. A link is not used, because some file systems have none.
    if (isNew) await (await open(file, 'wx', 0o600)).close()
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Returns true if a file with this name exists; pipes and devices do not count. */
export const isExistingFile = async (file: string): Promise<boolean> => (await find(file))?.isFile() ?? false

async function isRegular(file: string): Promise<boolean> {
  return (await find(file))?.isFile() ?? true
}

async function find(file: string): Promise<Stats | null> {
  try {
    return await stat(file)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Number of characters that are written at once. */
const chunkLength = 64 * 1024

/** Joins lines to chunks. One write per line would cost more than reading it. */
export async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Gunzip, Gzip } from 'node:zlib'
import { z } from 'zod'
import { BackupError, damaged } from './backup-error.ts'
import { decryptStream, deriveKey, encryptStream, keyDerivation, newKeyDerivation } from './encryption.ts'
import { parseJson } from './parse-json.ts'

// A backup is a line of JSON (the header), the content, compressed by gzip and then possibly encrypted, and the SHA-256 of
// everything before it (docs/operations/back-up.md#file-format).

const format = 'team-account-backup'
const formatVersion = 1
const checksumBytes = 32
const maxHeaderBytes = 1000

const fileHeader = z.object({ format: z.literal(format), version: z.int(), encryption: keyDerivation.nullable() })

/** Converts content to the bytes of a file. Encrypts it if there is a passphrase. */
export async function* sealContent(content: AsyncIterable<Uint8Array>, passphrase: string | undefined): AsyncGenerator<Buffer> {
  const encryption = passphrase === undefined ? null : newKeyDerivation()
  const header = Buffer.from(`${JSON.stringify({ format, version: formatVersion, encryption })}\n`)
  const checksum = createHash('sha256').update(header)
  yield header
  // Level 1 takes a third of the time of the default and makes the file of a typical database a tenth larger.
  const compressed = through(content, createGzip({ level: 1 }))
  const sealed = encryption ? encryptStream(compressed, await deriveKey(passphrase ?? '', encryption), header) : compressed
  for await (const part of sealed) {
    checksum.update(part)
    yield part
  }
  yield checksum.digest()
}

export interface SealedFile {
  isEncrypted: boolean
  /** Reads the whole file. Throws `BackupError` if it was changed or truncated, or if the passphrase is wrong. */
  verify(): Promise<void>
  /** Returns the content; call `verify` before. Throws at its end if the file changes while it is read. */
  content(): AsyncIterable<Uint8Array>
}

/** Opens a backup. `askPassphrase` is called if it is encrypted. */
export async function openSealedFile(file: string, askPassphrase: () => Promise<string>): Promise<SealedFile> {
  const { header, line, contentEnd } = await readHeader(file)
  const stored = () => checkedBytes(file, line, contentEnd)
  if (!header.encryption) {
    return { isEncrypted: false, verify: () => drain(stored()), content: () => through(stored(), createGunzip()) }
  }
  // The file is checked before the passphrase is requested, which a damaged file does not need.
  await drain(stored())
  const key = await deriveKey(await askPassphrase(), header.encryption)
  const decrypted = () => decryptStream(stored(), key, line)
  return { isEncrypted: true, verify: () => drain(decrypted()), content: () => through(decrypted(), createGunzip()) }
}

async function readHeader(file: string) {
  const handle = await open(file, 'r')
  try {
    const stats = await handle.stat()
    if (stats.isDirectory()) throw new BackupError('not_a_backup', `${file} is a folder`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0)
    const end = buffer.subarray(0, bytesRead).indexOf('\n') + 1
    const line = buffer.subarray(0, end)
    const parsed = fileHeader.safeParse(parseJson(line))
    if (!parsed.success) throw new BackupError('not_a_backup', `${file} is not a backup of this service`)
    if (parsed.data.version > formatVersion) throw new BackupError('newer_backup', `${file} was written by a newer version of the service`)
    if (stats.size < end + checksumBytes) throw damaged('it is truncated')
    return { header: parsed.data, line, contentEnd: stats.size - checksumBytes }
  } finally {
    await handle.close()
  }
}

/** Returns the bytes between header and checksum. Throws at the end if the checksum differs. */
async function* checkedBytes(file: string, header: Buffer, contentEnd: number): AsyncGenerator<Buffer> {
  const checksum = createHash('sha256').update(header)
  const tail: Buffer[] = []
  let position = header.length
  const bytes: AsyncIterable<Buffer> = createReadStream(file, { start: position, highWaterMark: 256 * 1024 })
  for await (const part of bytes) {
    const inside = part.subarray(0, Math.max(contentEnd - position, 0))
    position += part.length
    checksum.update(inside)
    if (inside.length < part.length) tail.push(part.subarray(inside.length))
    if (inside.length > 0) yield inside
  }
  if (!checksum.digest().equals(Buffer.concat(tail))) throw damaged('its checksum differs')
}

async function drain(bytes: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of bytes);
}

/** Passes bytes through a compressor or decompressor. */
async function* through(bytes: AsyncIterable<Uint8Array>, transform: Gzip | Gunzip): AsyncGenerator<Buffer> {
  const passed = pipeline(Readable.from(bytes), transform)
  // The loop below receives a failure as an error of `transform`.
  passed.catch(() => {})
  const output: AsyncIterable<Buffer> = transform
  yield* output
  await passed
}

import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, scrypt } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { BackupError, damaged } from './backup-error.ts'

// The STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015), as the file format of age uses it: pieces of 64 KiB, each encrypted
// by AES-256-GCM. The nonce is the number of the piece and a byte that marks the last one, so that a reader detects pieces that were
// removed, repeated or reordered. A key encrypts only one file, because its salt is random.

const algorithm = 'aes-256-gcm'
const pieceBytes = 64 * 1024
const tagBytes = 16

/** Parameters for deriving the key from the passphrase, which are part of the header of the file. */
export const keyDerivation = z.object({
  kdf: z.literal('scrypt'),
  // The maximum limits the cost that a forged header can cause.
  n: z
    .int()
    .min(2)
    .max(2 ** 20),
  r: z.int().min(1).max(16),
  p: z.int().min(1).max(16),
  salt: z.base64url(),
})
type KeyDerivation = z.output<typeof keyDerivation>

/** Returns OWASP's recommendation for scrypt: 128 MiB of memory, a third of a second. */
export const newKeyDerivation = (): KeyDerivation => ({
  kdf: 'scrypt',
  n: 2 ** 17,
  r: 8,
  p: 1,
  salt: randomBytes(16).toString('base64url'),
})

export async function deriveKey(passphrase: string, { n, r, p, salt }: KeyDerivation): Promise<KeyObject> {
  const options = { N: n, r, p, maxmem: 256 * n * r }
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer) => (error ? reject(error) : resolve(createSecretKey(key)))
    // The passphrase is normalized to NFC, because it can be typed in different Unicode forms.
    scrypt(passphrase.normalize('NFC'), Buffer.from(salt, 'base64url'), 32, options, done)
  })
}

/** Encrypts a stream. `header` is authenticated with each piece. */
export async function* encryptStream(content: AsyncIterable<Uint8Array>, key: KeyObject, header: Buffer): AsyncGenerator<Buffer> {
  let number = 0
  for await (const { piece, isLast } of inPieces(content, pieceBytes)) {
    const cipher = createCipheriv(algorithm, key, getNonce(number++, isLast)).setAAD(header)
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

/** Decrypts a stream. Throws for a wrong passphrase, and for a stream that was changed or cut off. */
export async function* decryptStream(encrypted: AsyncIterable<Uint8Array>, key: KeyObject, header: Buffer): AsyncGenerator<Buffer> {
  let number = 0
  for await (const { piece, isLast } of inPieces(encrypted, pieceBytes + tagBytes)) {
    if (piece.length < tagBytes) throw damaged('its last part is missing')
    const nonce = getNonce(number++, isLast)
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(header)
    decipher.setAuthTag(piece.subarray(-tagBytes))
    const text = decipher.update(piece.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch (cause) {
      // The checksum of the file was correct, so only a wrong passphrase makes the first piece fail.
      if (number === 1) throw new BackupError('wrong_passphrase', 'the passphrase is wrong', { cause })
      throw damaged('its content was changed')
    }
    yield text
  }
}

function getNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Cuts a stream of bytes into pieces of `size` bytes. The last one is shorter, possibly empty, or as long. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<{ piece: Buffer<ArrayBuffer>; isLast: boolean }> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const part of bytes) {
    waiting.push(part)
    length += part.length
    // A full piece waits for the next byte, which shows that it is not the last one.
    if (length <= size) continue
    const joined = Buffer.concat(waiting)
    let start = 0
    for (; joined.length - start > size; start += size) yield { piece: joined.subarray(start, start + size), isLast: false }
    waiting = [joined.subarray(start)]
    length = joined.length - start
  }
  yield { piece: Buffer.concat(waiting), isLast: true }
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

// How what must be read again is stored, so that a dump of the database alone opens none of it: AES-256-GCM under a key
// that Ports.deriveSecret derives for one purpose and one row. 1 byte of version | 12 nonce | 16 tag | ciphertext.

const algorithm = 'aes-256-gcm'
const version = 1
const nonceStart = 1
const tagStart = nonceStart + 12
const textStart = tagStart + 16

/**
 * Encrypts under a key of 32 bytes. The additional data is not stored but bound: it names the place the text belongs to,
 * so that a seal moved to another row does not open there.
 */
export function seal(key: Uint8Array, plaintext: Uint8Array, additionalData: Uint8Array): Buffer<ArrayBuffer> {
  // Random, which serves for 2^32 seals of one key (NIST SP 800-38D §8.3); ours seal one row each.
  const nonce = randomBytes(tagStart - nonceStart)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(additionalData)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext])
}

/** What was sealed; throws where key or additional data are others, or a single bit has changed. */
export function open(key: Uint8Array, sealed: Uint8Array, additionalData: Uint8Array): Buffer {
  if (sealed.length < textStart || sealed[0] !== version) throw new Error('this is no seal')
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(nonceStart, tagStart), { authTagLength: textStart - tagStart })
  decipher.setAAD(additionalData).setAuthTag(sealed.subarray(tagStart, textStart))
  return Buffer.concat([decipher.update(sealed.subarray(textStart)), decipher.final()])
}

/** The same where the key may have changed: null for what was sealed under another SECRET_KEY, which is as good as gone. */
export function openIfOurs(...sealed: Parameters<typeof open>): Buffer | null {
  try {
    return open(...sealed)
  } catch {
    return null
  }
}

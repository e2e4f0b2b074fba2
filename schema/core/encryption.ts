import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'

// This file encrypts values that must be read again, so that a database dump alone reveals none of them. It uses AES-256-GCM under a key
// that Ports.deriveSecret derives for one purpose and one row. Keys are passed as KeyObjects: for bytes, Node first creates and catches an
// error, which takes longer than the encryption. Layout: 1 byte version | 12 bytes nonce | 16 bytes tag | ciphertext.

const algorithm = 'aes-256-gcm'
const version = 1
const nonceStart = 1
const tagStart = nonceStart + 12
const textStart = tagStart + 16

/**
 * Encrypts under a key of 32 bytes. The additional data is authenticated but not stored: it identifies the row and column, so that a
 * ciphertext moved to another row does not decrypt.
 */
export function encrypt(key: Uint8Array, plaintext: Uint8Array, additionalData: Uint8Array): Buffer<ArrayBuffer> {
  // A random nonce is safe for 2^32 messages per key (NIST SP 800-38D §8.3); each key here encrypts one row.
  const nonce = randomBytes(tagStart - nonceStart)
  const cipher = createCipheriv(algorithm, createSecretKey(key), nonce).setAAD(additionalData)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext])
}

/**
 * Decrypts with the first key that fits; `Ports.deriveSecret.accepted` returns one for each SECRET_KEY. Throws if no key fits, the
 * additional data differs, or the ciphertext was changed.
 */
export function decrypt(keys: readonly Uint8Array[], encrypted: Uint8Array, additionalData: Uint8Array): Buffer {
  for (const key of keys) {
    const plaintext = decryptWith(key, encrypted, additionalData)
    if (plaintext) return plaintext
  }
  throw new Error('the value was encrypted under another key, or was changed')
}

/** Decrypts, or returns null if the value was encrypted under another SECRET_KEY and is therefore lost. */
export function decryptOrNull(...encrypted: Parameters<typeof decrypt>): Buffer | null {
  try {
    return decrypt(...encrypted)
  } catch {
    return null
  }
}

/** Returns the value encrypted under the first key: unchanged if it already is. Null if no key decrypts it. */
export function reencrypt(keys: readonly Uint8Array[], encrypted: Uint8Array, additionalData: Uint8Array): Uint8Array | null {
  const [current] = keys
  const plaintext = decryptOrNull(keys, encrypted, additionalData)
  if (!current || !plaintext) return null
  return decryptWith(current, encrypted, additionalData) ? encrypted : encrypt(current, plaintext, additionalData)
}

function decryptWith(key: Uint8Array, encrypted: Uint8Array, additionalData: Uint8Array): Buffer | null {
  if (encrypted.length < textStart || encrypted[0] !== version) return null
  const nonce = encrypted.subarray(nonceStart, tagStart)
  const decipher = createDecipheriv(algorithm, createSecretKey(key), nonce, { authTagLength: textStart - tagStart })
  decipher.setAAD(additionalData).setAuthTag(encrypted.subarray(tagStart, textStart))
  const plaintext = decipher.update(encrypted.subarray(textStart))
  try {
    return Buffer.concat([plaintext, decipher.final()])
  } catch {
    return null
  }
}

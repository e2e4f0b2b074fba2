import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Ports } from '../../../schema/core/ports.ts'
import { decryptOrNull, encrypt } from '../../../schema/core/encryption.ts'
import { sha256 } from '../../../schema/core/sha256.ts'

// Stored form of oidc-provider's models. A database dump contains no usable secret: values are stored as their SHA-256, and payloads with
// other secrets are encrypted.

/** Kinds whose payload contains other secrets: an interaction contains the device code and the session to which it belongs. */
const encryptedKinds = new Set(['Interaction', 'PushedAuthorizationRequest'])

const payloadMembers = z.record(z.string(), z.unknown())

export interface ModelEncoding {
  /** Returns the SHA-256 of a value, or the hash in a handle. */
  hash(value: string): Buffer
  /** Returns a keyed digest of a user code. A plain hash of its eight characters could be reversed by trying all values. */
  userCodeHash(userCode: string): Buffer
  /** Returns the digests of a user code under each accepted SECRET_KEY. */
  userCodeHashes(userCode: string): readonly Buffer[]
  /** Returns a substitute for the value, which is not stored, of a model that was found by its user code or `uid`. */
  handle(hash: Buffer): string
  /** Returns the payload in its stored form, without the values that identify the model. */
  encode(kind: string, value: string, payload: object): object
  /** Returns the original payload, or null if it was encrypted under another SECRET_KEY. */
  decode(kind: string, value: string, stored: Record<string, unknown>): Record<string, unknown> | null
}

export function createModelEncoding(deriveSecret: Ports['deriveSecret']): ModelEncoding {
  const handleKeys = deriveSecret.accepted('model handle', Buffer.alloc(0)).map((key) => createSecretKey(key))
  const calculateMacs = (hash: Buffer) => handleKeys.map((key) => createHmac('sha256', key).update(hash).digest())
  const keyed = (kind: string, value: string) => [`model ${kind}`, Buffer.from(value)] as const

  return {
    hash(value) {
      // Real values contain no dot. Without the MAC, an attacker could create a handle from a hash in a database dump.
      const [hash, mac, ...rest] = value.split('.').map((part) => Buffer.from(part, 'base64url'))
      const isHandle =
        hash?.length === 32 && mac?.length === 32 && rest.length === 0 && calculateMacs(hash).some((each) => timingSafeEqual(mac, each))
      return isHandle ? hash : sha256(value)
    },
    userCodeHash: (userCode) => deriveSecret('user code', Buffer.from(userCode)),
    userCodeHashes: (userCode) => deriveSecret.accepted('user code', Buffer.from(userCode)),
    handle: (hash) => `${hash.toString('base64url')}.${calculateMacs(hash)[0]?.toString('base64url')}`,
    encode(kind, value, payload) {
      const { jti: _, userCode: __, ...rest }: Record<string, unknown> = { ...payload }
      if (!encryptedKinds.has(kind)) return rest
      const encrypted = encrypt(deriveSecret(...keyed(kind, value)), Buffer.from(JSON.stringify(rest)), Buffer.from(kind))
      return { encrypted: encrypted.toString('base64') }
    },
    decode(kind, value, stored) {
      if (!encryptedKinds.has(kind)) return stored
      const text = decryptOrNull(
        deriveSecret.accepted(...keyed(kind, value)),
        Buffer.from(String(stored['encrypted']), 'base64'),
        Buffer.from(kind),
      )
      return text && payloadMembers.parse(JSON.parse(text.toString()))
    },
  }
}

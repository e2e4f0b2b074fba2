import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ports } from '../../../schema/context.ts'
import { openIfOurs, seal } from '../../../schema/sealed.ts'
import { sha256 } from '../../../schema/secret.ts'

// How what oidc-provider keeps is stored, so that a dump of the database opens nothing: values only as their SHA-256,
// and what a payload says of other values sealed.

/** Kinds whose payload names other secrets: an interaction knows the device code and the session it belongs to. */
const sealedKinds = new Set(['Interaction', 'PushedAuthorizationRequest'])

export interface Artifacts {
  /** SHA-256 of the value, or what a handle stands for. */
  hashOf(value: string): Buffer
  /** Digest of a user code: keyed, since eight characters could be tried one by one. */
  userCodeHash(userCode: string): Buffer
  /** Stands for a value that is not known any more, where the artifact was found by something else. */
  handle(hash: Buffer): string
  /** A payload as it is stored, without the values that identify it. */
  stored(kind: string, value: string, payload: object): object
  /** The payload as it was; null where it was sealed under another SECRET_KEY. */
  restored(kind: string, value: string, stored: Record<string, unknown>): Record<string, unknown> | null
}

export function createArtifacts(deriveSecret: Ports['deriveSecret']): Artifacts {
  const handleKey = deriveSecret('artifact handle', Buffer.alloc(0))
  const mac = (hash: Buffer) => createHmac('sha256', handleKey).update(hash).digest()
  const payloadKey = (kind: string, value: string) => deriveSecret(`artifact ${kind}`, Buffer.from(value))

  return {
    hashOf(value) {
      // Values have no dot. Nobody who knows a hash from a dump can make a handle of it.
      const [hash, proof, ...rest] = value.split('.').map((part) => Buffer.from(part, 'base64url'))
      const isHandle = hash?.length === 32 && proof?.length === 32 && rest.length === 0 && timingSafeEqual(proof, mac(hash))
      return isHandle ? hash : sha256(value)
    },
    userCodeHash: (userCode) => deriveSecret('user code', Buffer.from(userCode)),
    handle: (hash) => `${hash.toString('base64url')}.${mac(hash).toString('base64url')}`,
    stored(kind, value, payload) {
      const { jti: _, userCode: __, ...rest } = payload as Record<string, unknown>
      if (!sealedKinds.has(kind)) return rest
      const sealed = seal(payloadKey(kind, value), Buffer.from(JSON.stringify(rest)), Buffer.from(kind))
      return { sealed: sealed.toString('base64') }
    },
    restored(kind, value, stored) {
      if (!sealedKinds.has(kind)) return stored
      const text = openIfOurs(payloadKey(kind, value), Buffer.from(String(stored['sealed']), 'base64'), Buffer.from(kind))
      return text && JSON.parse(text.toString())
    },
  }
}

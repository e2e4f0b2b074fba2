import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { OutgoingError } from '../core/outgoing/outgoing.ts'

// This file reads public keys of other systems, as JSON Web Keys (RFC 7517): of clients that authenticate with a key, and of issuers.

/** The JWS algorithms that are accepted in signatures of other systems. */
export const assertionAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const

/** Members of private and symmetric keys (RFC 7518 §6). A published private key has to be replaced. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

export const hasPrivateMember = (key: object) => privateMembers.some((member) => Object.hasOwn(key, member))

const base64url = z
  .string()
  .max(1024)
  .regex(/^[\w-]+$/)
const common = {
  kid: z.string().min(1).max(255).optional(),
  use: z.literal('sig').optional(),
  key_ops: z
    .array(z.string().max(20))
    .max(10)
    .refine((operations) => operations.includes('verify'))
    .optional(),
}

/** Returns the number in base64url; 0 for a text that encodes no byte. Rules are applied to malformed values, too. */
const parseNumber = (encoded: string) => BigInt(`0x0${Buffer.from(encoded, 'base64url').toString('hex')}`)
const modulusBits = (modulus: string) => parseNumber(modulus).toString(2).length
/** An exponent below 65537, such as 1 or 3, makes some forgeries possible (NIST SP 800-56B §6.2). */
const isSafeExponent = (exponent: string) => {
  const value = parseNumber(exponent)
  return value >= 65_537n && value % 2n === 1n
}

/** A key that can verify one of the algorithms. Other members, such as certificates, are omitted. */
export const publicKey = z
  .discriminatedUnion('kty', [
    z.object({
      ...common,
      kty: z.literal('RSA'),
      alg: z.enum(['RS256', 'PS256']).optional(),
      n: base64url.refine((modulus) => modulusBits(modulus) >= 2048 && modulusBits(modulus) <= 4096),
      e: base64url.max(12).refine(isSafeExponent),
    }),
    z.object({ ...common, kty: z.literal('EC'), alg: z.literal('ES256').optional(), crv: z.literal('P-256'), x: base64url, y: base64url }),
    z.object({ ...common, kty: z.literal('OKP'), alg: z.literal('EdDSA').optional(), crv: z.literal('Ed25519'), x: base64url }),
  ])
  .refine(isOnCurve)

export type PublicKey = z.output<typeof publicKey>

function isOnCurve(key: object): boolean {
  try {
    createPublicKey({ key: { ...key }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

const keySet = z.object({ keys: z.array(z.looseObject({})).max(100) })

/**
 * Returns the usable keys of a fetched key set. Others are omitted, because a set can have keys for other purposes. Throws an
 * `OutgoingError` if it is not a key set, or if it contains a private key: then its signatures prove nothing.
 */
export function parsePublicKeys(document: unknown): PublicKey[] {
  const { data } = keySet.safeParse(document)
  if (!data) throw new OutgoingError('The document is not a JSON Web Key Set.')
  if (data.keys.some(hasPrivateMember)) throw new OutgoingError('The key set contains a private or symmetric key.')
  return data.keys.flatMap((key) => publicKey.safeParse(key).data ?? [])
}

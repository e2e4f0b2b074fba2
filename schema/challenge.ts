import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Transaction } from '../prisma/client.ts'
import type { Ports } from './context.ts'
import { sha256 } from './secret.ts'

// Challenges of WebAuthn (§13.4.3): random, ours, for one purpose, of this moment, and answered once. Nothing is kept of
// one that is never answered: 16 random bytes | 8 of expiry in milliseconds | 32 of keyed digest.

const minutes = 10
const expiryStart = 16
const digestStart = expiryStart + 8
const length = digestStart + 32

type Clock = Pick<Ports, 'now' | 'deriveSecret'>

/** A fresh challenge, base64url; `parts` say what it is for, and for whom. */
export function createChallenge({ now, deriveSecret }: Clock, ...parts: string[]): string {
  const body = Buffer.alloc(digestStart)
  randomBytes(expiryStart).copy(body)
  body.writeBigUInt64BE(BigInt(now().getTime() + minutes * 60_000), expiryStart)
  return Buffer.concat([body, digest(deriveSecret, body, parts)]).toString('base64url')
}

/** Whether it was made for these parts, and not too long ago. */
export function isChallenge({ now, deriveSecret }: Clock, challenge: string, ...parts: string[]): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== length || bytes.toString('base64url') !== challenge) return false
  const body = bytes.subarray(0, digestStart)
  return timingSafeEqual(bytes.subarray(digestStart), digest(deriveSecret, body, parts)) && expiryOf(body) > now()
}

/** Notes that a challenge was answered; false where it was before. The note is cleaned up with all else that expires. */
export async function spendChallenge(transaction: Transaction, challenge: string): Promise<boolean> {
  const expiresAt = expiryOf(Buffer.from(challenge, 'base64url'))
  const note = { idHash: sha256(`challenge:${challenge}`), kind: 'ReplayDetection', payload: {}, expiresAt }
  const { count } = await transaction.oAuthArtifact.createMany({ data: [note], skipDuplicates: true })
  return count === 1
}

const expiryOf = (body: Buffer) => new Date(Number(body.readBigUInt64BE(expiryStart)))

const digest = (deriveSecret: Ports['deriveSecret'], body: Buffer, parts: string[]) =>
  deriveSecret('challenge', Buffer.from(JSON.stringify([body.toString('base64url'), ...parts])))

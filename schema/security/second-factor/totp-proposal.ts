import type { Ports } from '../../core/ports.ts'
import { decryptOrNull, encrypt } from '../../core/encryption.ts'
import { createTotpSecret } from './totp.ts'

// A proposed secret of an authenticator app is stored nowhere before a code confirms it: the page contains it in encrypted form. Layout: 8
// bytes of expiry in milliseconds | the secret.

export interface TotpProposal {
  secret: Buffer
  /** The encrypted proposal in base64url, which can be decrypted only for its user. */
  encrypted: string
}

const minutes = 60
const secretStart = 8
const boundTo = Buffer.from('totp proposal')
const keyed = (userId: string) => ['totp proposal', Buffer.from(userId)] as const

type Clock = Pick<Ports, 'now' | 'deriveSecret'>

export function proposeTotp({ now, deriveSecret }: Clock, userId: string): TotpProposal {
  const secret = createTotpSecret()
  const expiry = Buffer.alloc(secretStart)
  expiry.writeBigUInt64BE(BigInt(now().getTime() + minutes * 60_000))
  const encrypted = encrypt(deriveSecret(...keyed(userId)), Buffer.concat([expiry, secret]), boundTo)
  return { secret, encrypted: encrypted.toString('base64url') }
}

/** Decrypts a proposal; null if it was created for another user, expired or is invalid. */
export function decryptProposal({ now, deriveSecret }: Clock, userId: string, encrypted: string): TotpProposal | null {
  const decrypted = decryptOrNull(deriveSecret.accepted(...keyed(userId)), Buffer.from(encrypted, 'base64url'), boundTo)
  if (!decrypted || Number(decrypted.readBigUInt64BE()) <= now().getTime()) return null
  return { secret: decrypted.subarray(secretStart), encrypted }
}

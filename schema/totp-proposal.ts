import type { Ports } from './context.ts'
import { openIfOurs, seal } from './sealed.ts'
import { createTotpSecret } from './totp.ts'

// A secret on its way to an authenticator application: the page carries it, sealed, until a code confirms it. 8 bytes of
// expiry in milliseconds | the secret.

export interface TotpProposal {
  secret: Buffer
  /** Base64url; opens for its person alone. */
  sealed: string
}

const minutes = 60
const secretStart = 8
const boundTo = Buffer.from('totp proposal')
const keyOf = (deriveSecret: Ports['deriveSecret'], userId: string) => deriveSecret('totp proposal', Buffer.from(userId))

type Clock = Pick<Ports, 'now' | 'deriveSecret'>

export function proposeTotp({ now, deriveSecret }: Clock, userId: string): TotpProposal {
  const secret = createTotpSecret()
  const expiry = Buffer.alloc(secretStart)
  expiry.writeBigUInt64BE(BigInt(now().getTime() + minutes * 60_000))
  const sealed = seal(keyOf(deriveSecret, userId), Buffer.concat([expiry, secret]), boundTo)
  return { secret, sealed: sealed.toString('base64url') }
}

/** What was proposed; null for what was not, not to this person, or too long ago. */
export function openProposal({ now, deriveSecret }: Clock, userId: string, sealed: string): TotpProposal | null {
  const opened = openIfOurs(keyOf(deriveSecret, userId), Buffer.from(sealed, 'base64url'), boundTo)
  if (!opened || Number(opened.readBigUInt64BE()) <= now().getTime()) return null
  return { secret: opened.subarray(secretStart), sealed }
}

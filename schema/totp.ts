import { Secret, TOTP } from 'otpauth'
import type { Transaction } from '../prisma/client.ts'
import type { Ports } from './context.ts'
import { openIfOurs, seal } from './sealed.ts'

// Codes of authenticator applications (RFC 6238), with the parameters that all of them know.

const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** A clock may be one step off, either way (RFC 6238 §5.2). */
const window = 1
const secretBytes = 20

export const createTotpSecret = (): Buffer => Buffer.from(new Secret({ size: secretBytes }).bytes)

/** As people type it where they cannot scan. */
export const totpSecretText = (secret: Uint8Array): string => secretOf(secret).base32

/** What an authenticator application reads: the secret, and what to call it. */
export const totpUri = (secret: Uint8Array, email: string, authUrl: string): string =>
  new TOTP({ ...parameters, issuer: new URL(authUrl).host, label: email, secret: secretOf(secret) }).toString()

/** The time step of a code that is right at this moment, however it is spaced; null for a wrong one. */
export function totpStep(secret: Uint8Array, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...parameters, token, secret: secretOf(secret), timestamp, window })
  return delta === null ? null : Math.floor(timestamp / 1000 / parameters.period) + delta
}

/** The secret as it is stored with its person, and only opens there. */
export const sealTotpSecret = ({ deriveSecret }: Pick<Ports, 'deriveSecret'>, secret: Uint8Array, userId: string) =>
  seal(keyOf(deriveSecret, userId), secret, boundTo)

const keyOf = (deriveSecret: Ports['deriveSecret'], userId: string) => deriveSecret('totp secret', Buffer.from(userId))
const boundTo = Buffer.from('totp secret')
const secretOf = ({ buffer, byteOffset, length }: Uint8Array) => new Secret({ buffer: buffer.slice(byteOffset, byteOffset + length) })

/**
 * Whether a code is the person's, and then spends it: no time step is accepted twice (RFC 6238 §5.2), nor one before the
 * last, also where two come at once.
 */
export async function spendTotpCode(
  transaction: Transaction,
  { now, deriveSecret }: Pick<Ports, 'now' | 'deriveSecret'>,
  userId: string,
  code: string,
): Promise<boolean> {
  const user = await transaction.user.findUnique({ where: { id: userId }, select: { totpSecret: true } })
  // A secret sealed under another SECRET_KEY is gone: recovery codes are too, and only the operator can help.
  const secret = user?.totpSecret && openIfOurs(keyOf(deriveSecret, userId), user.totpSecret, boundTo)
  const step = secret ? totpStep(secret, code, now()) : null
  if (step === null) return false
  // Not through Prisma, which would say that the account was changed.
  const count = await transaction.$executeRaw`
    UPDATE users SET totp_last_step = ${step} WHERE id = ${userId}::uuid AND (totp_last_step IS NULL OR totp_last_step < ${step})`
  return count === 1
}

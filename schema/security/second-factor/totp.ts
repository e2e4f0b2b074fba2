import { Secret, TOTP } from 'otpauth'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import type { Ports } from '../../core/ports.ts'
import { typedCode } from './typed-code.ts'
import { decryptOrNull, encrypt, reencrypt } from '../../core/encryption.ts'

// This file verifies codes of authenticator apps (RFC 6238), with the parameters that all applications support.

const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Number of time steps before and after whose codes are accepted, for clocks that differ (RFC 6238 §5.2). */
const window = 1
const secretBytes = 20

export const createTotpSecret = (): Buffer => Buffer.from(new Secret({ size: secretBytes }).bytes)

/** Returns the secret in base 32, for users who type it instead of scanning. */
export const totpSecretText = (secret: Uint8Array): string => toSecret(secret).base32

/** Returns the `otpauth:` URI for the QR code. Its issuer must not contain a colon: apps such as FreeOTP refuse it. */
export const totpUri = (secret: Uint8Array, email: string, brandName: string): string =>
  new TOTP({ ...parameters, issuer: brandName.replaceAll(/\s*:\s*/g, ' ').trim(), label: email, secret: toSecret(secret) }).toString()

/** Returns the time step of a code that is valid now, or null for a wrong code. */
export function totpStep(secret: Uint8Array, code: string, now: Date): number | null {
  const token = typedCode(code)
  if (!/^\d{6}$/.test(token)) return null
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...parameters, token, secret: toSecret(secret), timestamp, window })
  return delta === null ? null : Math.floor(timestamp / 1000 / parameters.period) + delta
}

/** Encrypts the secret for storage, bound to its user. */
export const encryptTotpSecret = ({ deriveSecret }: Pick<Ports, 'deriveSecret'>, secret: Uint8Array, userId: string) =>
  encrypt(deriveSecret(...keyed(userId)), secret, boundTo)

/** Encrypts a stored secret under the current SECRET_KEY; null if no key fits. */
export const reencryptTotpSecret = ({ deriveSecret }: Pick<Ports, 'deriveSecret'>, encrypted: Uint8Array, userId: string) =>
  reencrypt(deriveSecret.accepted(...keyed(userId)), encrypted, boundTo)

const keyed = (userId: string) => ['totp secret', Buffer.from(userId)] as const
const boundTo = Buffer.from('totp secret')
const toSecret = ({ buffer, byteOffset, length }: Uint8Array) => new Secret({ buffer: buffer.slice(byteOffset, byteOffset + length) })

/**
 * Returns true if a code is valid for the user. A valid code is used up: neither its time step nor an earlier one is accepted again (RFC
 * 6238 §5.2), not even in parallel requests.
 */
export async function spendTotpCode(
  executor: Executor,
  { now, deriveSecret }: Pick<Ports, 'now' | 'deriveSecret'>,
  userId: string,
  code: string,
): Promise<boolean> {
  const [user] = await findSecret(executor, userId)
  // A secret encrypted under another SECRET_KEY is lost, as are the recovery codes; an operator must reset the second factor.
  const secret = user && decryptOrNull(deriveSecret.accepted(...keyed(userId)), Buffer.from(user.encrypted, 'hex'), boundTo)
  const step = secret ? totpStep(secret, code, now()) : null
  if (step === null) return false
  return (await spendStep(executor, userId, step)).length === 1
}

const findSecret = statement<{ encrypted: string }, [userId: string]>(
  'totp_secret',
  `SELECT encode(totp_secret, 'hex') AS encrypted FROM users WHERE id = $1 AND totp_secret IS NOT NULL`,
)
const spendStep = statement<object, [userId: string, step: number]>(
  'spend_totp_step',
  'UPDATE users SET totp_last_step = $2 WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2) RETURNING id',
)

import { verify } from '@node-rs/argon2'
import { hashPassword } from '../../accounts/passwords/password.ts'
import type { SignInProof } from '../../core/browser-session.ts'
import type { Context } from '../../core/context.ts'
import { sha256 } from '../../core/sha256.ts'
import { emailAddress, normalizeEmail } from '../../core/validation.ts'
import { withAttemptLimit } from './attempts.ts'

// Compared when no account can sign in, so that the response takes as long. The password is not a secret.
const dummyHash = hashPassword('a password of no account')

/** Returns a proof for the account with this address and password, or null. Throws `rate_limited` beyond the limit of attempts. */
export async function verifyPassword(context: Context, email: string, password: string): Promise<SignInProof | null> {
  const account = await findAccount(context, email)
  // Every spelling of an address counts as one account.
  const target = { key: normalizeEmail(email), userId: account?.id ?? null }
  return withAttemptLimit(context, 'signInAccount', target, () => compare(account, password))
}

interface PasswordAccount {
  id: string
  passwordHash: string | null
}

/** The enabled account with this address, or null if there is none or it has no password. */
async function findAccount({ database }: Context, email: string): Promise<PasswordAccount | null> {
  const address = emailAddress.safeParse(email)
  if (!address.success) return null
  const where = { email: address.data, passwordHash: { not: null }, disabledAt: null }
  return database.prisma.user.findFirst({ where, select: { id: true, passwordHash: true } })
}

/**
 * An unknown address, an account without a password, a disabled account and a wrong password are indistinguishable, both by
 * the result and by the time it takes.
 */
async function compare(account: PasswordAccount | null, password: string): Promise<SignInProof | null> {
  const passwordHash = account?.passwordHash ?? null
  const isCorrect = await verify(passwordHash ?? (await dummyHash), password)
  if (!account || passwordHash === null || !isCorrect) return null
  return { userId: account.id, methods: ['pwd'], passwordDigest: sha256(passwordHash).toString('hex') }
}

import { statement } from '../../../prisma/statement/statement.ts'
import { comparePassword, digestOfHash, hashPassword } from '../../accounts/passwords/password-hash.ts'
import { mayBeSignedIn } from '../../accounts/deletion/pending-deletion.ts'
import type { SignInProof } from '../../core/browser-session.ts'
import type { Context } from '../../core/context.ts'
import { emailAddress, normalizeEmail } from '../../core/validation.ts'
import { withAttemptLimit } from './attempts.ts'

/** Returns a proof for the account with this address and password, or null. Throws `rate_limited` beyond the limit of attempts. */
export async function verifyPassword(context: Context, email: string, password: string): Promise<SignInProof | null> {
  const address = emailAddress.safeParse(email).data ?? null
  const account = address === null ? null : await findAccount(context, address)
  const target = {
    // All spellings of an address count as one account.
    key: normalizeEmail(email),
    userId: account?.id ?? null,
    account: address === null ? null : { email: address },
    wrongReason: 'wrong_password',
  } as const
  return withAttemptLimit(context, 'password', target, () => compare(context, account, password))
}

interface PasswordAccount {
  id: string
  email: string
  passwordHash: string | null
}

/** Returns the account with this address that may be signed in to, or null if there is none or it has no password. */
async function findAccount({ database }: Context, email: string): Promise<PasswordAccount | null> {
  const where = { email, passwordHash: { not: null }, ...mayBeSignedIn }
  return database.prisma.user.findFirst({ where, select: { id: true, email: true, passwordHash: true } })
}

// Reads one entry of the index for each value. The condition is that of the index, which `npm run migration` cannot express.
const differs = `split_part(password_hash, '$', 4) <> 'm=19456,t=2,p=1'`
const otherParameters = statement<{ parameters: string }, []>(
  'other_password_parameters',
  `WITH RECURSIVE found AS (
     SELECT min(split_part(password_hash, '$', 4)) AS parameters FROM users WHERE ${differs}
     UNION ALL
     SELECT (SELECT min(split_part(password_hash, '$', 4)) FROM users WHERE ${differs} AND split_part(password_hash, '$', 4) > found.parameters)
     FROM found WHERE found.parameters IS NOT NULL)
   SELECT parameters FROM found WHERE parameters IS NOT NULL`,
)

/** Returns the parameters of stored hashes other than the current ones. */
export const otherParametersInUse = async ({ pool }: Context['database']): Promise<string[]> =>
  (await otherParameters(pool)).map(({ parameters }) => parameters)

const replaceHash = statement<{ id: string }, [id: string, previous: string, next: string]>(
  'replace_password_hash',
  'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING id',
)

/**
 * Compares a password. An unknown address, an account without a password, a disabled account and a wrong password are indistinguishable,
 * both by the result and by the time. The first sign-in with an outdated hash replaces it.
 */
async function compare(context: Context, account: PasswordAccount | null, password: string): Promise<SignInProof | null> {
  const { database } = context
  const stored = account?.passwordHash ?? null
  const result = await comparePassword(stored, password, () => otherParametersInUse(database))
  if (!account || stored === null || result === 'wrong') return null
  if (result === 'correct') return buildProof(account.id, stored)
  const next = await hashPassword(password)
  const [replaced] = await replaceHash(database.pool, account.id, stored, next)
  // If no row was replaced, another sign-in replaced the hash at the same time, or the password was changed.
  return replaced ? buildProof(account.id, next) : compare(context, await findAccount(context, account.email), password)
}

const buildProof = (userId: string, passwordHash: string): SignInProof => ({
  userId,
  methods: ['pwd'],
  passwordDigest: digestOfHash(passwordHash),
})

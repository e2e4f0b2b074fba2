import { verify } from '@node-rs/argon2'
import type { Database } from '../../../prisma/client.ts'
import { statement } from '../../../prisma/statement.ts'
import { hashPassword } from '../../../schema/password.ts'
import { sha256 } from '../../../schema/secret.ts'
import { emailAddress } from '../../../schema/validation.ts'

const accountByEmail = statement<{ id: string; passwordHash: string }, [email: string]>(
  'password_by_email',
  `SELECT id, password_hash AS "passwordHash" FROM users WHERE email = $1 AND password_hash IS NOT NULL AND disabled_at IS NULL`,
)

// What is compared where nobody can sign in, so that this takes as long. Nobody knows its password; nothing depends on it.
const hashOfNobody = hashPassword('a password that opens nothing')

/** Whose password it is, and a digest of its stored hash: signing in with it counts only while that is the one. */
export interface RightPassword {
  userId: string
  passwordDigest: string
}

/**
 * The person whose address and password these are; else null. An unknown address, an account without
 * a password, a disabled one and a wrong password are told apart neither by the answer nor by the time it takes.
 */
export async function verifyPassword({ pool }: Database, email: string, password: string): Promise<RightPassword | null> {
  const address = emailAddress.safeParse(email)
  const [account] = address.success ? await accountByEmail(pool, address.data) : []
  const isRight = await verify(account?.passwordHash ?? (await hashOfNobody), password)
  return account && isRight ? { userId: account.id, passwordDigest: sha256(account.passwordHash).toString('hex') } : null
}

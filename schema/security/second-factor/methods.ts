import type { Database } from '../../../prisma/connection/database.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { lockAccount } from '../../core/database/locks.ts'
import type { AccountKey } from '../../core/database/locks.ts'
import { unauthenticated } from '../../core/errors.ts'

/** The methods of the second factor, besides recovery codes, as the audit log records them. */
export const SecondFactorMethod = { totp: 'totp', passkey: 'passkey' } as const
export type SecondFactorMethod = keyof typeof SecondFactorMethod

/** What a user has for a second factor. */
interface SecondFactorParts {
  hasTotp: boolean
  passkeys: number
  /** Recovery codes, used or not. */
  recoveryCodes: number
  recoveryCodesLeft: number
}

/**
 * The methods of a user's second factor; empty if the password alone signs in. An authenticator app turns the second
 * factor on. Passkeys do so only if recovery codes exist, used or not: a user who added a passkey to sign in without the
 * password did not ask for a second factor. See docs/decisions/accounts.md#two-factor.
 */
export function methodsOf({ hasTotp, passkeys, recoveryCodes }: Omit<SecondFactorParts, 'recoveryCodesLeft'>): SecondFactorMethod[] {
  const hasPasskey = passkeys > 0 && (hasTotp || recoveryCodes > 0)
  return [...(hasTotp ? (['totp'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])]
}

const secondFactorParts = (column: 'id' | 'email') =>
  statement<SecondFactorParts, [value: string]>(
    `second_factor_by_${column}`,
    `SELECT u.totp_secret IS NOT NULL AS "hasTotp", (SELECT count(*) FROM passkeys WHERE user_id = u.id) AS passkeys,
       count(c.hash) AS "recoveryCodes", count(c.hash) FILTER (WHERE c.used_at IS NULL) AS "recoveryCodesLeft"
     FROM users u LEFT JOIN recovery_codes c ON c.user_id = u.id WHERE u.${column} = $1 GROUP BY u.id`,
  )
const partsById = secondFactorParts('id')
const partsByEmail = secondFactorParts('email')

/** Returns the methods of a user's second factor, and the number of unused recovery codes. */
export async function findSecondFactor({ pool }: Pick<Database, 'pool'>, userId: string) {
  const [parts] = await partsById(pool, userId)
  return { methods: parts ? methodsOf(parts) : [], recoveryCodesLeft: parts?.recoveryCodesLeft ?? 0 }
}

interface LockedSecondFactor extends SecondFactorParts {
  user: User
  methods: SecondFactorMethod[]
}

/** Reads the second factor of an account and locks the account until the transaction ends. Null if there is none. */
export async function lockSecondFactor(transaction: Transaction, key: AccountKey): Promise<LockedSecondFactor | null> {
  // Read by a statement of its own, which runs after the lock: it has to see what the lock waited for.
  const [user, [parts]] = await Promise.all([
    lockAccount(transaction, key),
    'id' in key ? partsById(transaction, key.id) : partsByEmail(transaction, key.email),
  ])
  return user && parts ? { ...parts, user, methods: methodsOf(parts) } : null
}

/** The same for the caller. Throws `unauthenticated` if the account was deleted since the request was authenticated. */
export async function lockOwnSecondFactor(transaction: Transaction, userId: string): Promise<LockedSecondFactor> {
  const locked = await lockSecondFactor(transaction, { id: userId })
  if (!locked) throw unauthenticated()
  return locked
}

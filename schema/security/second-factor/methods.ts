import type { Database } from '../../../prisma/connection/database.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { lockAccount } from '../../core/database/locks.ts'
import type { AccountKey } from '../../core/database/locks.ts'
import { unauthenticated } from '../../core/errors.ts'
import { hasTwoFactor } from '../../core/team-access/two-factor.ts'

/** The methods of the second factor, besides recovery codes, as the audit log records them. */
export const SecondFactorMethod = { totp: 'totp', passkey: 'passkey' } as const
export type SecondFactorMethod = keyof typeof SecondFactorMethod

/** The facts that decide about the second factor of a user. */
interface SecondFactorParts {
  hasTwoFactor: boolean
  hasTotp: boolean
  passkeys: number
  /** Number of unused recovery codes. */
  recoveryCodesLeft: number
}

/**
 * Returns the methods of a user's second factor; empty if the password alone signs in. Passkeys alone do not turn it on
 * (docs/decisions/accounts.md#two-factor).
 */
export const listFactorMethods = ({ hasTwoFactor, hasTotp, passkeys }: Pick<SecondFactorParts, 'hasTwoFactor' | 'hasTotp' | 'passkeys'>) =>
  hasTwoFactor ? [...(hasTotp ? (['totp'] as const) : []), ...(passkeys > 0 ? (['passkey'] as const) : [])] : []

const secondFactorParts = (column: 'id' | 'email') =>
  statement<SecondFactorParts, [value: string]>(
    `second_factor_by_${column}`,
    `SELECT ${hasTwoFactor('u.id')} AS "hasTwoFactor", u.totp_secret IS NOT NULL AS "hasTotp",
       (SELECT count(*) FROM passkeys WHERE user_id = u.id) AS passkeys,
       (SELECT count(*) FROM recovery_codes WHERE user_id = u.id AND used_at IS NULL) AS "recoveryCodesLeft"
     FROM users u WHERE u.${column} = $1`,
  )
const partsById = secondFactorParts('id')
const partsByEmail = secondFactorParts('email')

/** Returns the methods of a user's second factor, and the number of unused recovery codes. */
export async function findSecondFactor({ pool }: Pick<Database, 'pool'>, userId: string) {
  const [parts] = await partsById(pool, userId)
  return { methods: parts ? listFactorMethods(parts) : [], recoveryCodesLeft: parts?.recoveryCodesLeft ?? 0 }
}

interface LockedSecondFactor extends SecondFactorParts {
  user: User
  methods: SecondFactorMethod[]
}

/** Reads the second factor of an account and locks the account until the transaction ends. Null if there is none. */
export async function lockSecondFactor(transaction: Transaction, key: AccountKey): Promise<LockedSecondFactor | null> {
  // A separate statement reads the parts after the lock, so that it sees the changes that the lock waited for.
  const [user, [parts]] = await Promise.all([
    lockAccount(transaction, key),
    'id' in key ? partsById(transaction, key.id) : partsByEmail(transaction, key.email),
  ])
  return user && parts ? { ...parts, user, methods: listFactorMethods(parts) } : null
}

/** Reads and locks the second factor of the caller. Throws `unauthenticated` if the account was deleted during the request. */
export async function lockOwnSecondFactor(transaction: Transaction, userId: string): Promise<LockedSecondFactor> {
  const locked = await lockSecondFactor(transaction, { id: userId })
  if (!locked) throw unauthenticated()
  return locked
}

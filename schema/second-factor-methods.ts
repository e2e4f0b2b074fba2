import type { Transaction } from '../prisma/client.ts'
import { lockAccount } from './account-lock.ts'
import { unauthenticated } from './errors.ts'

/** What a person shows after the password, besides a recovery code; the words of the audit trail. */
export const SecondFactorMethod = { totp: 'totp', passkey: 'passkey' } as const
export type SecondFactorMethod = keyof typeof SecondFactorMethod

/**
 * By what a person's second factor is on; empty where the password alone signs in. An authenticator application turns it
 * on by being set up. Passkeys do only where there are recovery codes, used or not: who added one to sign in without the
 * password did not ask to be locked out with it.
 */
export async function secondFactorMethods(prisma: Transaction, userId: string): Promise<SecondFactorMethod[]> {
  const user = await prisma.user.findUnique({
    where: { id: userId },
    select: { totpSecret: true, _count: { select: { passkeys: true, recoveryCodes: true } } },
  })
  if (!user) return []
  const { totpSecret, _count } = user
  const hasTotp = totpSecret !== null
  const hasPasskey = _count.passkeys > 0 && (hasTotp || _count.recoveryCodes > 0)
  return [...(hasTotp ? (['totp'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])]
}

/** The same, for a change: of those to it and to what it hangs on, one is made at a time. Throws for who is gone. */
export async function lockSecondFactor(transaction: Transaction, userId: string): Promise<SecondFactorMethod[]> {
  if (!(await lockAccount(transaction, { id: userId }))) throw unauthenticated()
  return secondFactorMethods(transaction, userId)
}

import type { Transaction } from '../prisma/client.ts'
import type { User } from '../prisma/generated/client/client.ts'

/** The identifier of no account. */
export const nobody = '00000000-0000-0000-0000-000000000000'

/** Which account: by its identifier where the address could change hands meanwhile. */
type Which = { id: string } | { email: string }

/**
 * The account, locked until the transaction ends; null where there is none. Those who change what hangs on one take turns
 * here; what others are making for it, a session or a token, is made before or after, never meanwhile. Takes as long
 * where there is none.
 */
export async function lockAccount(transaction: Transaction, which: Which): Promise<User | null> {
  const [locked] =
    'id' in which
      ? await transaction.$queryRaw<{ id: string }[]>`SELECT id FROM users WHERE id = ${which.id}::uuid FOR UPDATE`
      : await transaction.$queryRaw<{ id: string }[]>`SELECT id FROM users WHERE email = ${which.email} FOR UPDATE`
  return transaction.user.findUnique({ where: { id: locked?.id ?? nobody } })
}

/** The same for what its person does: null where it is disabled, too. */
export async function lockEnabledAccount(transaction: Transaction, which: Which): Promise<User | null> {
  const user = await lockAccount(transaction, which)
  return user?.disabledAt === null ? user : null
}

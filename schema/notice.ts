import type { Transaction } from '../prisma/client.ts'
import type { User } from '../prisma/generated/client/client.ts'
import type { Context, NoticeMail } from './context.ts'

/**
 * Tells a person by mail what was changed in what they sign in by. Not at an address that may be a stranger's: they would
 * hear of every change of somebody who signed up with it.
 */
export async function sendNotice(
  transaction: Transaction,
  context: Context,
  { id: userId, emailVerified }: Pick<User, 'id' | 'emailVerified'>,
  kind: NoticeMail['kind'],
): Promise<void> {
  if (emailVerified) await context.sendMail(transaction, { kind, userId, at: context.now().toISOString() })
}

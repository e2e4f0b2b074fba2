import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import { endLinks } from '../mail-link.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'

/**
 * Follows every change of a password: notifies the user and ends the links that an attacker, now locked out, may have
 * requested to choose another password or to move the account to another address.
 */
export async function passwordChanged(transaction: Transaction, context: Context, userId: string, isVerified = true): Promise<void> {
  endLinks(transaction, context, userId, 'reset_password', 'change_email')
  await sendNotice(transaction, context, { id: userId, emailVerified: isVerified }, 'password-changed', {})
}

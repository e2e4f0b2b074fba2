import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import { endLinks } from '../mail-link.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { revokePersonalTokens } from './revoke-personal-tokens.ts'

/**
 * Follows every change of a password: notifies the user and ends the links that an attacker, now locked out, may have
 * requested to choose another password or to move the account to another address. Also revokes the personal tokens if that is wanted.
 * Returns what the audit entry says of them.
 */
export async function passwordChanged(
  transaction: Transaction,
  context: Context,
  user: { id: string; emailVerified: boolean },
  { endsSessions, revokesTokens }: { endsSessions: boolean; revokesTokens: boolean },
): Promise<{ tokensRevoked?: number }> {
  endLinks(transaction, context, user.id, 'reset_password', 'change_email')
  const tokensRevoked = revokesTokens ? await revokePersonalTokens(transaction, context, user.id) : 0
  const audited = tokensRevoked > 0 ? { tokensRevoked } : {}
  await sendNotice(transaction, context, user, 'password-changed', { ...(!endsSessions && { keepsSessions: true }), ...audited })
  return audited
}

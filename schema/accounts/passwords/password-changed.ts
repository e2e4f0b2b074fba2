import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import { endLinks } from '../mail-link.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { revokePersonalTokens } from './revoke-personal-tokens.ts'

/**
 * Notifies the user of a changed password and ends the links that an attacker may have requested before it. With such a link, the attacker
 * could choose another password or change the address of the account. Also revokes the personal tokens if requested. Returns the part of
 * the audit entry about them.
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

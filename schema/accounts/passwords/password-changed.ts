import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { writeAuditEntries } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { endAccountSupport } from '../end-sessions.ts'
import { endLinks } from '../mail-link.ts'

/**
 * Notifies the user of a changed password and ends the links that an attacker may have requested before it. With such a link, the attacker
 * could choose another password or change the address of the account. Also revokes the personal tokens if requested. Returns the part of
 * the audit entry about them. The support session of the account ends with the sessions, and otherwise here.
 */
export async function passwordChanged(
  transaction: Transaction,
  context: Context,
  user: { id: string; emailVerified: boolean },
  { endsSessions, revokesTokens }: { endsSessions: boolean; revokesTokens: boolean },
): Promise<{ tokensRevoked?: number }> {
  endLinks(transaction, context, user.id, 'reset_password', 'change_email', 'sign_in')
  if (!endsSessions) endAccountSupport(transaction, user.id)
  const tokensRevoked = revokesTokens ? await revokePersonalTokens(transaction, context, user.id) : 0
  const audited = tokensRevoked > 0 ? { tokensRevoked } : {}
  await sendNotice(transaction, context, user, 'password-changed', { ...(!endsSessions && { keepsSessions: true }), ...audited })
  return audited
}

const revoke = statement<{ id: string; name: string }, [userId: string, now: Date]>(
  'revoke_personal_tokens',
  `UPDATE access_tokens SET revoked_at = $2 WHERE user_id = $1 AND kind = 'personal' AND revoked_at IS NULL AND expires_at > $2
   RETURNING id, name`,
)

/** The input field of mutations that set a new password. */
export const revokePersonalTokensField = {
  defaultValue: false,
  description: 'Whether the personal tokens of the user are revoked, too. They are refused from the next request on.',
} as const

/** Revokes the live personal tokens of a user, with an audit entry for each, as `revokeToken` writes it. Returns their number. */
export async function revokePersonalTokens(transaction: Transaction, context: Context, userId: string): Promise<number> {
  const revokedAt = context.now()
  const tokens = await revoke(transaction, userId, revokedAt)
  const entries = tokens.map(({ id, name }) => ({ subject: id, subjectName: name, after: { revokedAt: revokedAt.toISOString() } }))
  if (entries.length > 0) writeAuditEntries(transaction, context, 'revokeToken', entries)
  return tokens.length
}

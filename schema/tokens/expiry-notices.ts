import { statement } from '../../prisma/statement/statement.ts'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import type { Ports } from '../core/ports.ts'

interface ExpiringToken {
  tokenId: string
  /** The users who can replace the token: its user, or the owners of its team. Users without a verified address get no mail. */
  userIds: string[]
}

/** Maximum number of tokens in one call. */
const batchSize = 100

/**
 * Marks tokens that expire soon and returns them, each once. The notice is due seven days before the expiry, or in the last quarter of a
 * shorter lifetime, so that a token for a day is not announced at its creation. A rotation keeps the expiry and thus the mark.
 */
const claimExpiring = statement<ExpiringToken, [now: Date]>(
  'claim_expiring_tokens',
  `UPDATE access_tokens c SET expiry_notified_at = $1 WHERE c.id = ANY (ARRAY(
     SELECT id FROM access_tokens
     WHERE revoked_at IS NULL AND expiry_notified_at IS NULL AND expires_at > $1 AND expires_at <= $1::timestamptz + interval '7 days'
       AND expires_at - $1::timestamptz <= (expires_at - created_at) / 4
     ORDER BY expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))
   RETURNING c.id AS "tokenId", to_json(ARRAY(
     SELECT u.id FROM users u WHERE u.email_verified AND u.disabled_at IS NULL AND u.id = ANY (ARRAY(
       SELECT c.user_id UNION SELECT m.user_id FROM members m JOIN teams t ON t.id = m.team_id
       WHERE m.team_id = c.team_id AND m.role = 'owner' AND t.deleted_at IS NULL)) ORDER BY u.id)) AS "userIds"`,
)

/** Queues mails about some tokens that expire soon, once for each token. Returns the number of tokens. */
export const announceExpiringTokens = ({ database, now, sendMail }: Pick<Ports, 'database' | 'now' | 'sendMail'>): Promise<number> =>
  inTransaction(database, async (transaction) => {
    const tokens = await claimExpiring(transaction, now())
    for (const { tokenId, userIds } of tokens)
      for (const userId of userIds) await sendMail(transaction, { kind: 'token-expires', tokenId, userId })
    return tokens.length
  })

import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { writeAuditEntries } from '../audit/audit.ts'
import type { Recorder } from '../audit/audit.ts'

interface RevokedGrant {
  id: string
  teamId: string | null
  userId: string
  clientId: string
  clientName: string
}

const revoke = statement<RevokedGrant, [userId: string | null, oauthClientId: string | null, now: Date]>(
  'revoke_grants',
  `UPDATE oauth_grants g SET revoked_at = $3 FROM oauth_clients c
   WHERE c.id = g.oauth_client_id AND (g.user_id = $1 OR g.oauth_client_id = $2) AND g.revoked_at IS NULL
   RETURNING g.id, g.team_id AS "teamId", g.user_id AS "userId", c.client_id AS "clientId", c.name AS "clientName"`,
)

/** Revokes all grants of a user, or of a client by its internal key, with an audit entry for each, as `revokeGrant` writes it. */
export async function revokeGrants(transaction: Transaction, context: Recorder, of: { userId: string } | { oauthClientId: string }) {
  const revokedAt = context.now()
  const [userId, oauthClientId] = 'userId' in of ? [of.userId, null] : [null, of.oauthClientId]
  const grants = await revoke(transaction, userId, oauthClientId, revokedAt)
  const entries = grants.map(({ id, teamId, userId: grantor, clientId, clientName }) => ({
    teamId,
    subject: id,
    subjectName: clientName,
    after: { userId: grantor, clientId, revokedAt: revokedAt.toISOString() },
  }))
  if (entries.length > 0) writeAuditEntries(transaction, context, 'revokeGrant', entries)
}

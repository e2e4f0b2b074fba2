import type pg from 'pg'
import { statement } from '../../../prisma/statement.ts'
import { lifetimes } from '../lifetimes.ts'

/** What a person decided on the consent page. */
export interface Decision {
  userId: string
  /** Internal key of the client. */
  oauthClientId: string
  /** Internal key of the team selected, or null. */
  teamId: string | null
  granted: readonly string[]
  declined: readonly string[]
}

/**
 * One statement, so that two decisions at once end in one grant. A scope decided again is as decided last; what was not
 * asked this time stays. The grant outlives every refresh token that comes of this decision (decisions §8).
 */
const writeDecision = statement<
  { id: string },
  [userId: string, clientId: string, teamId: string | null, granted: readonly string[], declined: readonly string[], now: Date]
>(
  'write_decision',
  `INSERT INTO oauth_grants AS g (user_id, oauth_client_id, team_id, scopes, declined_scopes, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $6::timestamptz + interval '${lifetimes.refreshTokensInAll} seconds')
   ON CONFLICT (user_id, oauth_client_id, team_id) WHERE revoked_at IS NULL AND cut_team_ids = '{}' DO UPDATE SET
     scopes = ARRAY(SELECT s FROM unnest(g.scopes) s WHERE s <> ALL (excluded.declined_scopes) UNION SELECT unnest(excluded.scopes)),
     declined_scopes = ARRAY(SELECT s FROM unnest(g.declined_scopes) s WHERE s <> ALL (excluded.scopes) UNION SELECT unnest(excluded.declined_scopes)),
     expires_at = excluded.expires_at
   RETURNING id`,
)

/** Writes what the person decided, as a new grant or into the live one of this client and team; answers its identifier. */
export async function giveGrant(pool: pg.Pool, { userId, oauthClientId, teamId, granted, declined }: Decision, now: Date): Promise<string> {
  const [grant] = await writeDecision(pool, userId, oauthClientId, teamId, granted, declined, now)
  if (!grant) throw new Error('a grant was written without an identifier')
  return grant.id
}

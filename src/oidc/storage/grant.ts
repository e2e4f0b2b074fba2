import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { lifetimes } from '../provider/lifetimes.ts'

/** A decision about a grant: that of the user on the consent page, or that of an identity provider of the team. */
export interface Decision {
  userId: string
  /** Internal key of the client. */
  oauthClientId: string
  /** Internal key of the selected team, or null. */
  teamId: string | null
  /** The identity provider that decided; absent for the user. The grants of both are separate. */
  providerId?: string
  granted: readonly string[]
  declined: readonly string[]
}

/** A saved grant. */
export interface SavedGrant {
  id: string
  /** True if the user had no live grant to this client for this team before. */
  isNew: boolean
  /** All scopes of the grant, sorted, and those before the decision; null if the grant is new. */
  scopes: string[]
  before: string[] | null
}

/**
 * Writes the decision to the live grant of this user, client, team and provider, or to a new one. It is one statement, so that two simultaneous
 * decisions result in one grant. Scopes that were not requested this time do not change. A declined scope remains in earlier
 * authorizations; this and later ones do not get it.
 */
export async function saveGrant(
  transaction: Transaction,
  { userId, oauthClientId, teamId, granted, declined, providerId }: Decision,
  now: Date,
): Promise<SavedGrant> {
  // The grant of a user is valid for longer than any refresh token of this authorization (docs/decisions/oauth.md#lifetimes).
  const seconds = providerId === undefined ? lifetimes.refreshTokenFamily : lifetimes.vouchedGrant
  const expiresAt = new Date(now.getTime() + seconds * 1000)
  const [grant] = await upsertGrant(transaction, userId, oauthClientId, teamId, granted, declined, now, expiresAt, providerId ?? null)
  if (!grant) throw new Error('the statement that writes a grant returned no row')
  return grant
}

type GrantValues = [
  userId: string,
  oauthClientId: string,
  teamId: string | null,
  granted: readonly string[],
  declined: readonly string[],
  now: Date,
  expiresAt: Date,
  providerId: string | null,
]
// `xmax` is zero for an inserted row, and not for an updated one.
const upsertGrant = statement<SavedGrant, GrantValues>(
  'save_grant',
  `WITH present AS (
     SELECT to_json(ARRAY(SELECT unnest(scopes) ORDER BY 1)) AS scopes FROM oauth_grants
     WHERE user_id = $1 AND oauth_client_id = $2 AND team_id IS NOT DISTINCT FROM $3 AND provider_id IS NOT DISTINCT FROM $8::uuid AND revoked_at IS NULL AND revoked_team_ids = '{}'
   )
   INSERT INTO oauth_grants AS g (user_id, oauth_client_id, team_id, scopes, declined_scopes, created_at, expires_at, provider_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (user_id, oauth_client_id, team_id, provider_id) WHERE revoked_at IS NULL AND revoked_team_ids = '{}' DO UPDATE SET
     scopes = ARRAY(SELECT unnest(g.scopes) UNION SELECT unnest(excluded.scopes)),
     declined_scopes = ARRAY(SELECT s FROM unnest(g.declined_scopes) s WHERE s <> ALL (excluded.scopes) UNION SELECT unnest(excluded.declined_scopes)),
     expires_at = excluded.expires_at
   RETURNING id, xmax = 0 AS "isNew", to_json(ARRAY(SELECT unnest(g.scopes) ORDER BY 1)) AS scopes, (SELECT scopes FROM present) AS before`,
)

import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { scopes as catalogue } from '../../../schema/core/scopes.ts'
import { isUsableGrant, vouchedScopes } from '../../../schema/core/team-access/live.ts'
import { grantReach, reaches } from '../../../schema/core/team-access/reach.ts'
import { isSignInOverdue, requiredSignInAt } from '../../../schema/core/team-access/required-sign-in.ts'
import type { SignInClock } from '../../../schema/core/team-access/required-sign-in.ts'
import { lacksTwoFactor } from '../../../schema/core/team-access/two-factor.ts'
import { isIdentifier } from '../../../schema/core/validation.ts'

// This is SQL, because every request to the token endpoint runs one of these statements. Each reads a model with its grant, client, user
// and team at once.

/** A live grant, with the data that decides if it is still usable. Read with a code or token, it has the scopes of that chain. */
export interface StoredGrant {
  id: string
  userId: string
  /** The public `client_id`. */
  clientId: string
  scopes: string[]
  /** Scopes that new authorizations do not get. Other authorizations of the grant may have them. */
  declinedScopes: string[]
  /** Scopes for which the client is currently registered. */
  registeredScopes: string[]
  /** Scopes that the identity provider which gave the grant may currently give; null for a grant of the user. */
  vouchedScopes: string[] | null
  /** Slug of the team of the grant, or null. */
  team: string | null
  /**
   * False if the user has left the team of the grant or lacks the two-factor authentication that the team requires, or if an owner has
   * revoked the grant's access to the team.
   */
  isWithinTeam: boolean
  /** Time of the user's last sign-in through the provider that the grant's team currently requires; null if it requires none. */
  requiredSignInAt: number | null
  /** The client's replay window for refresh tokens, in seconds. */
  replaySeconds: number
  /** Seconds since 1970. */
  createdAt: number
  expiresAt: number
}

/** Returns the current scopes of an authorization, in the catalogue's order: granted by the user and registered for the client. */
export const grantedScopes = ({ scopes, declinedScopes, registeredScopes, vouchedScopes: vouched }: StoredGrant): string[] =>
  Object.keys(catalogue).filter(
    (scope) =>
      scopes.includes(scope) &&
      registeredScopes.includes(scope) &&
      !declinedScopes.includes(scope) &&
      (vouched === null || vouched.includes(scope)),
  )

/** A user who can sign in. Disabled users are not read. */
export interface StoredUser {
  id: string
  name: string
  email: string
  emailVerified: boolean
  /** Seconds since 1970. */
  updatedAt: number
}

export interface StoredModel {
  payload: Record<string, unknown>
  isConsumed: boolean
  /** The chain of tokens to which the model belongs, or null. */
  chainId: string | null
  grant: StoredGrant | null
  user: StoredUser | null
}

const grantTables = `oauth_grants g JOIN oauth_clients c ON c.id = g.oauth_client_id JOIN users u ON u.id = g.user_id
  LEFT JOIN teams t ON t.id = g.team_id`

const isWithinTeam = (now: string) => `(g.team_id IS NULL
    OR EXISTS (SELECT FROM members m WHERE m.team_id = g.team_id AND ${reaches(grantReach('g'))})
    AND NOT (t.two_factor_required_at <= ${now} AND ${lacksTwoFactor}))`
/** A requirement counts from its start. The grant of the required provider itself meets it. */
const currentSignInAt = (now: string) =>
  `CASE WHEN t.sign_in_required_at <= ${now} AND g.provider_id IS DISTINCT FROM t.sign_in_provider_id THEN ${requiredSignInAt} END`
const grantJson = (
  scopes: string,
  declined: string,
  now: string,
) => `json_build_object('id', g.id, 'userId', g.user_id, 'clientId', c.client_id, 'scopes', ${scopes}, 'declinedScopes', ${declined},
  'registeredScopes', c.required_scopes || c.optional_scopes, 'vouchedScopes', ${vouchedScopes('g')}, 'team', t.slug, 'replaySeconds', c.refresh_replay_seconds,
  'isWithinTeam', ${isWithinTeam(now)}, 'requiredSignInAt', ${currentSignInAt(now)},
  'createdAt', extract(epoch FROM g.created_at)::bigint, 'expiresAt', extract(epoch FROM g.expires_at)::bigint)`
const userJson = `json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'emailVerified', u.email_verified,
  'updatedAt', extract(epoch FROM u.updated_at)::bigint)`

/** Selects a `StoredModel` with its hash. The arguments are SQL: the column that identifies it, and the parameters. */
export const selectModel = (column: string, value: string, kind: string, now: string) =>
  `SELECT a.payload, encode(a.id_hash, 'hex') AS hash, a.consumed_at IS NOT NULL AS "isConsumed", k.id AS "chainId",
     CASE WHEN k.id IS NOT NULL THEN ${grantJson('k.scopes', "'{}'::text[]", now)} END AS grant, CASE WHEN k.id IS NOT NULL THEN ${userJson} END AS user
   FROM oidc_models a LEFT JOIN (${grantTables} JOIN token_chains k ON k.grant_id = g.id AND k.revoked_at IS NULL)
     ON k.id = a.chain_id AND ${isUsableGrant(now)}
   WHERE a.${column} = ${value} AND a.kind = ${kind} AND (a.chain_id IS NULL OR k.id IS NOT NULL)`

const modelBy = (name: string, column: string) =>
  statement<StoredModel & { hash: string }, [value: Buffer, kind: string, now: Date]>(name, selectModel(column, '$1', '$2', '$3'))

/** Statements that find models by each identifier. A model whose grant or chain is not live has no row. */
export const modelsBy = {
  id: modelBy('model_by_id', 'id_hash'),
  uid: modelBy('model_by_uid', 'uid_hash'),
  userCode: modelBy('model_by_user_code', 'user_code_hash'),
}

const grantById = statement<{ grant: StoredGrant; user: StoredUser }, [id: string, now: Date]>(
  'live_grant_by_id',
  `SELECT ${grantJson('g.scopes', 'g.declined_scopes', '$2')} AS grant, ${userJson} AS user FROM ${grantTables} WHERE g.id = $1 AND ${isUsableGrant('$2')}`,
)

/** Returns a live grant and its user, or null. */
export async function findLiveGrant({ pool }: Database, id: string, now: Date) {
  const [row] = isIdentifier(id) ? await grantById(pool, id, now) : []
  return row ?? null
}

const grantsOfClient = statement<
  { id: string; teamId: string | null; scopes: string[]; declinedScopes: string[]; requiredSignInAt: number | null },
  [userId: string, clientId: string, now: Date]
>(
  'live_grants_of_client',
  `SELECT g.id, g.team_id AS "teamId", to_json(g.scopes) AS scopes, to_json(g.declined_scopes) AS "declinedScopes",
     ${currentSignInAt('$3')} AS "requiredSignInAt" FROM ${grantTables}
   WHERE g.user_id = $1 AND c.client_id = $2 AND ${isUsableGrant('$3')} AND g.revoked_team_ids = '{}' AND g.provider_id IS NULL AND ${isWithinTeam('$3')} ORDER BY g.created_at DESC`,
)

/**
 * Returns the live grants that a user has given a client, newest first. Grants from which an owner has revoked a team, and those of identity
 * providers, are omitted, because a new authorization does not extend them.
 */
export const findLiveGrants = async ({ pool }: Database, userId: string, clientId: string, clock: SignInClock) =>
  (await grantsOfClient(pool, userId, clientId, clock.now())).filter(({ requiredSignInAt: at }) => !isSignInOverdue(at, clock))

/**
 * Returns the grant with which a session continues: the one that it used last for the client or, if it has used none, the only one. It never
 * switches to another one, because that can be for another team.
 */
export function findContinuedGrant<Grant extends { id: string }>(
  grants: readonly Grant[],
  lastGrantId: string | undefined,
): Grant | undefined {
  if (lastGrantId !== undefined) return grants.find(({ id }) => id === lastGrantId)
  return grants.length === 1 ? grants[0] : undefined
}

/** Returns true if a grant can be used for its team, if it has one. */
export const reachesTeam = ({ isWithinTeam, requiredSignInAt: at }: StoredGrant, clock: SignInClock): boolean =>
  isWithinTeam && !isSignInOverdue(at, clock)

const userById = statement<{ user: StoredUser }, [id: string]>(
  'active_user_by_id',
  `SELECT ${userJson} AS user FROM users u WHERE u.id = $1 AND u.disabled_at IS NULL`,
)

/** Returns the user with this identifier, or null if unknown or disabled. */
export async function findActiveUser({ pool }: Database, id: string): Promise<StoredUser | null> {
  const [row] = isIdentifier(id) ? await userById(pool, id) : []
  return row?.user ?? null
}

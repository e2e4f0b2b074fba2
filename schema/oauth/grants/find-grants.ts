import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import { toColumnName } from '../../../prisma/statement/write-row.ts'
import { withDates } from '../../builder/with-dates.ts'
import { tokenScopes } from '../../core/scopes.ts'
import { isLiveGrant } from '../../core/team-access/live.ts'
import { grantReach, isOpenTo, reaches } from '../../core/team-access/reach.ts'
import { grantParts } from './grant.ts'
import type { GrantWithParts } from './grant.ts'

const instants = ['createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'] as const
type Instant = (typeof instants)[number]
/** A grant as statements select it: its instants are text. */
export type GrantRow = Omit<GrantWithParts, Instant> & { [Name in Instant]: string | Extract<GrantWithParts[Name], null> }

/** Builds a JSON object of the columns that Prisma would select of a table. */
const json = (table: string, { select }: { select: object }) =>
  `json_build_object(${Object.keys(select)
    .map((name) => `'${name}', ${table}.${toColumnName(name)}`)
    .join(', ')})`

/** Selects the client `c` of a grant. */
export const clientOfGrant = json('c', grantParts.client)

/** Selects a grant `r` with its parts from the tables of `grantTables`. */
export const grantColumns = `r.id, r.user_id AS "userId", r.oauth_client_id AS "oauthClientId", r.team_id AS "teamId", r.provider_id AS "providerId",
  to_json(r.scopes) AS scopes, to_json(r.declined_scopes) AS "declinedScopes", to_json(r.revoked_team_ids) AS "revokedTeamIds",
  r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt", r.expires_at AS "expiresAt", r.revoked_at AS "revokedAt",
  ${json('u', grantParts.user)} AS user, ${clientOfGrant} AS client,
  CASE WHEN t.id IS NOT NULL THEN ${json('t', grantParts.team)} END AS team,
  CASE WHEN p.id IS NOT NULL THEN ${json('p', grantParts.provider)} END AS provider`

/** The tables that a grant `r` is joined with. LEFT JOIN lets PostgreSQL omit the tables that a statement does not need. */
export const grantTables = `LEFT JOIN users u ON u.id = r.user_id LEFT JOIN oauth_clients c ON c.id = r.oauth_client_id
  LEFT JOIN teams t ON t.id = r.team_id LEFT JOIN identity_providers p ON p.id = r.provider_id`

export const toGrant = (row: GrantRow): GrantWithParts => withDates(row, instants)

// A grant `r` without a team can access teams only if it has a scope for them; otherwise it only identifies the user.
/** Builds the condition for grants for the team. Those of a user who left are included: they become effective again if the user returns. */
export const isForTeam = (team: string) => `r.team_id = ${team} AND ${isOpenTo(grantReach('r'), team)}`
/** Builds the condition for grants of a member `m` of the team that are not for one team. */
export const isOfMember = (team: string) =>
  `m.team_id = ${team} AND r.team_id IS NULL AND ${reaches(grantReach('r'))} AND r.scopes && '{${tokenScopes.join(',')}}'::text[]`

/** The owners of grants to select: a user, and teams that the grants can access. */
export interface GrantOwners {
  userId?: string | null
  teamIds?: readonly string[]
}

const isLiveOfOwners = `${isLiveGrant('$2')} AND (r.user_id = $3 OR EXISTS (
    SELECT FROM unnest($4::uuid[]) team(id) WHERE ${isForTeam('team.id')} OR EXISTS (SELECT FROM members m WHERE ${isOfMember('team.id')})))`
type OfOwners = [wanted: readonly string[], now: Date, userId: string | null, teamIds: readonly string[]]

const liveGrants = statement<GrantRow, OfOwners>(
  'live_grants',
  `SELECT ${grantColumns} FROM oauth_grants r ${grantTables} WHERE r.id = ANY ($1) AND ${isLiveOfOwners}`,
)

const clientsOfLiveGrants = statement<{ client: GrantWithParts['client'] }, OfOwners>(
  'clients_of_live_grants',
  `SELECT ${clientOfGrant} AS client FROM oauth_clients c WHERE c.client_id = ANY ($1) AND EXISTS (
     SELECT FROM oauth_grants r LEFT JOIN teams t ON t.id = r.team_id WHERE r.oauth_client_id = c.id AND ${isLiveOfOwners})`,
)

const grantById = `SELECT ${grantColumns} FROM oauth_grants r ${grantTables} WHERE r.id = $1`
const grantOfUser = statement<GrantRow, [id: string, userId: string | null]>(
  'grant_of_user',
  `${grantById} AND ($2::uuid IS NULL OR r.user_id = $2)`,
)
const liveGrantOfUser = statement<GrantRow, [id: string, now: Date, userId: string | null]>(
  'live_grant_of_user',
  `${grantById} AND ${isLiveGrant('$2')} AND ($3::uuid IS NULL OR r.user_id = $3)`,
)

/** Returns the live grants with these identifiers. */
export const findLiveGrants = async (executor: Executor, ids: readonly string[], now: Date, { userId = null, teamIds = [] }: GrantOwners) =>
  (await liveGrants(executor, ids, now, userId, teamIds)).map(toGrant)

/** Returns the clients with these `client_id`s to which there is a live grant. */
export const findGrantedClients = async (
  executor: Executor,
  clientIds: readonly string[],
  now: Date,
  { userId = null, teamIds = [] }: GrantOwners,
) => (await clientsOfLiveGrants(executor, clientIds, now, userId, teamIds)).map(({ client }) => client)

/** Returns a grant of a user, live or not; null if there is none. Without a user, returns a grant of any user, for the operator. */
export async function findGrant(executor: Executor, id: string, userId: string | null): Promise<GrantWithParts | null> {
  const [row] = await grantOfUser(executor, id, userId)
  return row ? toGrant(row) : null
}

/** Returns a live grant of a user in the same way. */
export async function findLiveGrant(executor: Executor, id: string, now: Date, userId: string | null): Promise<GrantWithParts | null> {
  const [row] = await liveGrantOfUser(executor, id, now, userId)
  return row ? toGrant(row) : null
}

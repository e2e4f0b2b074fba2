import { columnOf } from '../../prisma/statement/write-row.ts'
import { anyContains } from '../builder/search.ts'
import { withDates } from '../builder/with-dates.ts'
import { tokenScopes } from '../core/scopes.ts'
import type { ListDeclaration, ScannedRows } from '../lists/declaration.ts'
import { defineList } from '../lists/list.ts'
import { byExpiry, byLastUse, credentialConditions, isLiveAt } from '../tokens/credential-filters.ts'
import type { CredentialFilters, PersonFilters } from '../tokens/credential-filters.ts'
import { grantParts } from './grant.ts'
import type { GrantWithParts } from './grant.ts'

export type GrantOrder = 'created' | 'client' | 'person' | 'last_used' | 'expires'

interface GrantFilters extends CredentialFilters, PersonFilters {
  /** Only grants that are neither revoked nor expired. Always set: others give no access. */
  live: true
  /** The internal keys of the clients. */
  clients?: readonly string[] | null
  /** Those of the clients that a search found. */
  searched?: readonly string[] | null
}

type GrantDeclaration = ListDeclaration<GrantRow, GrantWithParts, GrantOrder, GrantFilters>

const isScanned = true
const instants = ['createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'] as const
type Instant = (typeof instants)[number]
type GrantRow = Omit<GrantWithParts, Instant> & { [Name in Instant]: string | Extract<GrantWithParts[Name], null> }

/** A JSON object of what Prisma would select of a table. */
const json = (table: string, { select }: { select: object }) =>
  `json_build_object(${Object.keys(select)
    .map((name) => `'${name}', ${table}.${columnOf(name)}`)
    .join(', ')})`

/** Selects a grant `r` with its parts from the tables of `grantTables`. */
export const grantColumns = `r.id, r.user_id AS "userId", r.oauth_client_id AS "oauthClientId", r.team_id AS "teamId",
  to_json(r.scopes) AS scopes, to_json(r.declined_scopes) AS "declinedScopes", to_json(r.revoked_team_ids) AS "revokedTeamIds",
  r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt", r.expires_at AS "expiresAt", r.revoked_at AS "revokedAt",
  ${json('u', grantParts.user)} AS user, ${json('c', grantParts.client)} AS client,
  CASE WHEN t.id IS NOT NULL THEN ${json('t', grantParts.team)} END AS team`

/** What a grant `r` is joined with. LEFT JOIN, so that PostgreSQL leaves out the tables that a statement does not need. */
export const grantTables = `LEFT JOIN users u ON u.id = r.user_id LEFT JOIN oauth_clients c ON c.id = r.oauth_client_id
  LEFT JOIN teams t ON t.id = r.team_id`

/** The kept name as `m.person`, where grants of members have it: of a grant for a team, and of any grant of a user. */
const personOfGrant = 'LATERAL (SELECT r.person) m'
const personOfUser = String.raw`LATERAL (SELECT lower(u.name) || E'\n' || u.email AS person) m`

const grants = (name: string, rows: GrantDeclaration['rows']) =>
  defineList<GrantRow, GrantWithParts, GrantOrder, GrantFilters>({
    name,
    rows,
    id: 'r.id',
    columns: grantColumns,
    orders: {
      created: { keys: [['r.created_at', 'timestamptz']], isScanned },
      client: { keys: [['r.sort_name', 'text']], isScanned },
      person: { keys: [['m.person', 'text']], isJoined: true },
      last_used: { ...byLastUse, isScanned },
      expires: { keys: byExpiry.keys, ranges: byExpiry.ranges, isScanned },
    },
    filters: {
      live: ({ now }) => isLiveAt(now),
      clients: ({ value }) => `r.oauth_client_id = ANY (${value}::uuid[])`,
      searched: ({ value }) => `r.oauth_client_id = ANY (${value}::uuid[])`,
      personId: ({ value }) => `r.user_id = ${value}::uuid`,
      person: ({ value }) => anyContains(['m.person'], value),
      ...credentialConditions,
    },
    scanFilters: ['live'],
    toNode: (row) => withDates(row, instants),
  })

/** The grants `r` without a team of the members `m` of a team that can access it if they are live. */
export const grantsOfMembers = (team: string): ScannedRows => ({
  table: 'oauth_grants',
  alias: 'r',
  from: (grants) => `FROM members m JOIN ${grants} ON r.user_id = m.user_id ${grantTables}
    WHERE m.team_id = ${team} AND r.team_id IS NULL AND r.scopes && '{${tokenScopes.join(',')}}'::text[] AND ${team} <> ALL (r.revoked_team_ids)`,
})

/**
 * The grants that can access a team: those for it, and those of its members without a team. The condition is that of `grantsWithAccess`, in
 * parts that can use indexes. Prisma writes an OR, for which PostgreSQL reads all grants.
 */
export const teamGrantList = grants('grants of a team', (team) => [
  `FROM oauth_grants r ${grantTables} CROSS JOIN ${personOfGrant} WHERE r.team_id = ${team} AND ${team} <> ALL (r.revoked_team_ids)`,
  grantsOfMembers(team),
])

/** The grants of a user, without those for a deleted team. */
export const userGrantList = grants(
  'grants of a user',
  (user) => `FROM oauth_grants r ${grantTables} CROSS JOIN ${personOfUser} WHERE r.user_id = ${user} AND t.deleted_at IS NULL`,
)

import { anyContains } from '../builder/search.ts'
import type { ListDeclaration, ScannedRows } from '../lists/declaration.ts'
import { defineList } from '../lists/list.ts'
import { byExpiry, byLastUse, credentialConditions, isLiveAt } from '../tokens/credential-filters.ts'
import type { CredentialFilters, PersonFilters } from '../tokens/credential-filters.ts'
import type { GrantWithParts } from './grant.ts'
import { isForTeam, isOfMember } from './find-grants.ts'
import { grantColumns, grantTables, toGrant } from './grant-row.ts'
import type { GrantRow } from './grant-row.ts'

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
    toNode: toGrant,
  })

/** The grants `r` without a team of the members `m` of a team that can access it if they are live. */
export const grantsOfMembers = (team: string): ScannedRows => ({
  table: 'oauth_grants',
  alias: 'r',
  from: (grants) => `FROM members m JOIN ${grants} ON r.user_id = m.user_id ${grantTables} WHERE ${isOfMember(team)}`,
})

/** The grants that can access a team, in parts that can use indexes: for an OR, PostgreSQL reads all grants. */
export const teamGrantList = grants('grants of a team', (team) => [
  `FROM oauth_grants r ${grantTables} CROSS JOIN ${personOfGrant} WHERE ${isForTeam(team)}`,
  grantsOfMembers(team),
])

/** The grants of a user, without those for a deleted team. */
export const userGrantList = grants(
  'grants of a user',
  (user) => `FROM oauth_grants r ${grantTables} CROSS JOIN ${personOfUser} WHERE r.user_id = ${user} AND t.deleted_at IS NULL`,
)

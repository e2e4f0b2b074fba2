import { anyContains } from '../../builder/search.ts'
import type { ListDeclaration } from '../../lists/declaration.ts'
import { defineList } from '../../lists/list.ts'
import { isLiveAt } from '../../core/team-access/live.ts'
import { byLastUse, credentialConditions } from '../../tokens/credential-filters.ts'
import type { CredentialFilters, CredentialPersonFilters } from '../../tokens/credential-filters.ts'
import type { GrantWithParts } from './grant.ts'
import { keptName } from '../../teams/person.ts'
import { isForTeam, isOfMember, grantColumns, grantTables, toGrant } from './find-grants.ts'
import type { GrantRow } from './find-grants.ts'

export type GrantOrder = 'created' | 'client' | 'person' | 'last_used' | 'expires'

/** Excludes grants that are revoked or expired. Always set, because they give no access. */
interface GrantFilters extends CredentialFilters, CredentialPersonFilters {
  live: true
  /** Internal keys of the clients. */
  clients?: readonly string[] | null
  /** Internal keys of the clients that match a search. */
  searched?: readonly string[] | null
}

type GrantDeclaration = ListDeclaration<GrantRow, GrantWithParts, GrantOrder, GrantFilters>

/** SQL for the text by which the grants of a user `u` are sorted and searched. */
const person = keptName('u')

const grants = (name: string, rows: GrantDeclaration['rows']) =>
  defineList<GrantRow, GrantWithParts, GrantOrder, GrantFilters>({
    name,
    rows,
    id: 'r.id',
    columns: grantColumns,
    orders: {
      created: { keys: [['r.created_at', 'timestamptz']] },
      client: { keys: [['lower(c.name)', 'text']] },
      person: { keys: [[person, 'text']] },
      last_used: byLastUse,
      expires: { keys: [['r.expires_at', 'timestamptz']] },
    },
    filters: {
      live: ({ now }) => isLiveAt(now),
      clients: ({ value }) => `r.oauth_client_id = ANY (${value}::uuid[])`,
      searched: ({ value }) => `r.oauth_client_id = ANY (${value}::uuid[])`,
      personId: ({ value }) => `r.user_id = ${value}::uuid`,
      person: ({ value }) => anyContains([person], value),
      ...credentialConditions,
    },
    toNode: toGrant,
  })

/** Builds the parts of the grants `r` that can access a team if they are live. They use indexes; for an OR, PostgreSQL reads all grants. */
export const grantsOfTeam = (team: string) => ({
  ofTeam: `FROM oauth_grants r ${grantTables} WHERE ${isForTeam(team)}`,
  ofMembers: `FROM members m JOIN oauth_grants r ON r.user_id = m.user_id ${grantTables} WHERE ${isOfMember(team)}`,
})

export const teamGrantList = grants('grants of a team', (team) => Object.values(grantsOfTeam(team)))

/** The grants of a user, without those for a deleted team. */
export const userGrantList = grants(
  'grants of a user',
  (user) => `FROM oauth_grants r ${grantTables} WHERE r.user_id = ${user} AND t.deleted_at IS NULL`,
)

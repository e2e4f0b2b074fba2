import { anyContains } from '../builder/search.ts'
import { defineList } from '../lists/list.ts'
import { credentialConditions, isLiveAt } from '../tokens/credential-filters.ts'
import type { CredentialFilters, PersonFilters } from '../tokens/credential-filters.ts'
import { grantsOfTeam } from './grant-list.ts'

/** A token or a grant that can access a team. Instants are text. */
export interface TeamAccessRow {
  id: string
  kind: TeamAccessKind
  name: string
  teamId: string
  lastFour: string | null
  personId: string | null
  personName: string | null
  isLimited: boolean
  scopes: string[]
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export type TeamAccessKind = 'team_token' | 'personal_token' | 'app'
export type TeamAccessOrder = 'name' | 'person' | 'created' | 'last_used' | 'expires'

export interface TeamAccessFilters extends CredentialFilters, PersonFilters {
  /** Only tokens and grants that are neither revoked nor expired. Always set: others give no access. */
  live: true
  kind?: TeamAccessKind | null | undefined
  /** A pattern of the name of the token or client. */
  search?: string | null
  /** For callers who may not list the tokens of the team. */
  withoutTeamTokens?: true | null
}

const times = 't.scopes, t.created_at, t.last_used_at, t.expires_at, t.revoked_at'

/**
 * What can access a team besides its signed-in members. The conditions are those of `tokensWithAccess` and `grantsWithAccess`. Indexes on
 * the team and on the user find the rows; names are compared after that.
 */
export const teamAccessList = defineList<TeamAccessRow, TeamAccessRow, TeamAccessOrder, TeamAccessFilters>({
  name: 'team access',
  rows: (team) => `
    FROM (
      SELECT t.id, t.name, t.last_four, 'team_token' AS kind, ${team} AS team_id, u.id AS person_id, u.name AS person_name, u.email, true AS is_limited, ${times}
      FROM access_tokens t LEFT JOIN users u ON u.id = t.created_by_id WHERE t.team_id = ${team}
      UNION ALL
      SELECT t.id, t.name, t.last_four, 'personal_token', ${team}, u.id, u.name, u.email, t.team_ids <> '{}', ${times}
      FROM members m JOIN users u ON u.id = m.user_id JOIN access_tokens t ON t.user_id = u.id
      WHERE m.team_id = ${team} AND u.disabled_at IS NULL AND ${team} <> ALL (t.revoked_team_ids)
        AND (t.team_ids = '{}' OR ${team} = ANY (t.team_ids))
      UNION ALL
      SELECT t.id, c.name, NULL, 'app', ${team}, u.id, u.name, u.email, t.team_id IS NOT NULL, ${times}
      FROM ${grantsOfTeam(team)} t JOIN users u ON u.id = t.user_id JOIN oauth_clients c ON c.id = t.oauth_client_id
    ) r WHERE true`,
  id: 'r.id',
  columns: `r.id, r.kind, r.name, r.team_id AS "teamId", r.last_four AS "lastFour", r.person_id AS "personId", r.person_name AS "personName", r.is_limited AS "isLimited",
    to_json(r.scopes) AS scopes, r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt", r.expires_at AS "expiresAt"`,
  orders: {
    name: { keys: [['lower(r.name)', 'text']] },
    person: { keys: [['lower(r.person_name)', 'text']], isNullable: true, isUnindexed: true },
    created: { keys: [['r.created_at', 'timestamptz']] },
    last_used: { keys: [['r.last_used_at', 'timestamptz']], isNullable: true, isUnindexed: true },
    expires: { keys: [['r.expires_at', 'timestamptz']], isNullable: true, isUnindexed: true },
  },
  filters: {
    live: ({ now }) => isLiveAt(now),
    kind: ({ value }) => `r.kind = ${value}`,
    search: ({ value }) => `r.name ILIKE ${value}`,
    personId: ({ value }) => `r.person_id = ${value}::uuid`,
    person: ({ value }) => anyContains(['r.person_name', 'r.email'], value),
    withoutTeamTokens: () => `r.kind <> 'team_token'`,
    ...credentialConditions,
  },
  accessFilters: ['withoutTeamTokens'],
  toNode: (row) => row,
})

import { anyContains, joined } from '../builder/search.ts'
import type { ScannedRows } from '../lists/declaration.ts'
import { defineList } from '../lists/list.ts'
import { rowsFrom } from '../lists/parts.ts'
import { byExpiry, byLastUse, credentialConditions, isLiveAt } from '../tokens/credential-filters.ts'
import type { CredentialFilters, PersonFilters } from '../tokens/credential-filters.ts'
import { tokenTexts } from '../tokens/list.ts'
import { tokensOfMembers } from '../tokens/member-tokens/member-token-list.ts'
import { isForTeam } from './find-grants.ts'
import { grantsOfMembers } from './grant-list.ts'
import { grantTables } from './grant-row.ts'

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
  /** A pattern of the names of tokens, and the internal keys of the clients that it matches. */
  search?: { pattern: string; clients: readonly string[] } | null
  /** For callers who may not list the tokens of the team. */
  withoutTeamTokens?: true | null
}

const isScanned = true

/** The columns of every part, of a token or grant `r`. */
const common = 'r.id, r.sort_name, r.scopes, r.created_at, r.last_used_at, r.last_used_hour, r.expires_at, r.revoked_at'
/** Those of a kind, with what a search compares: the text of an index of tokens, and the client. */
const ofToken = `r.name, r.last_four, (${joined(tokenTexts)}) AS text, NULL::uuid AS client_key`
const ofApp = 'c.name, NULL AS last_four, NULL AS text, r.oauth_client_id AS client_key'

/** Rows of members with the columns of a part. */
const ofMembers = (team: string, columns: string, rows: ScannedRows): ScannedRows => ({
  ...rows,
  from: (item) =>
    rowsFrom(team, `SELECT ${columns}, m.user_id AS person_id, u.name AS person_name, m.person, ${common} ${rows.from(item)}`),
})

/** The parts with their kinds: grants for the team apart from those of its members. */
const partsOf = (team: string): [TeamAccessKind, string | ScannedRows][] => [
  [
    'team_token',
    rowsFrom(
      team,
      `SELECT 'team_token' AS kind, ${ofToken}, true AS is_limited, r.created_by_id AS person_id, u.name AS person_name, r.person, ${common}
       FROM access_tokens r LEFT JOIN users u ON u.id = r.created_by_id WHERE r.team_id = ${team}`,
    ),
  ],
  ['personal_token', ofMembers(team, `'personal_token' AS kind, ${ofToken}, r.team_ids <> '{}' AS is_limited`, tokensOfMembers(team))],
  [
    'app',
    rowsFrom(
      team,
      `SELECT 'app' AS kind, ${ofApp}, true AS is_limited, r.user_id AS person_id, u.name AS person_name, r.person, ${common}
       FROM oauth_grants r ${grantTables} WHERE ${isForTeam(team)}`,
    ),
  ],
  ['app', ofMembers(team, `'app' AS kind, ${ofApp}, false AS is_limited`, grantsOfMembers(team))],
]

/** What can access a team besides its signed-in members. */
export const teamAccessList = defineList<TeamAccessRow, TeamAccessRow, TeamAccessOrder, TeamAccessFilters>({
  name: 'team access',
  rows(team, { kind }) {
    const parts = partsOf(team).filter(([each]) => kind == null || each === kind)
    return parts.map(([, rows]) => rows)
  },
  id: 'r.id',
  columns: `r.id, r.kind, r.name, r.team_id AS "teamId", r.last_four AS "lastFour", r.person_id AS "personId", r.person_name AS "personName", r.is_limited AS "isLimited",
    to_json(r.scopes) AS scopes, r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt", r.expires_at AS "expiresAt"`,
  orders: {
    name: { keys: [['r.sort_name', 'text']], isScanned },
    person: { keys: [['r.person', 'text']], isNullable: 'in the first part', isJoined: true },
    created: { keys: [['r.created_at', 'timestamptz']], isScanned },
    last_used: { ...byLastUse, isScanned },
    expires: { ...byExpiry, isNullable: 'in the first part', isScanned },
  },
  filters: {
    live: ({ now }) => isLiveAt(now),
    kind: ({ value }) => `r.kind = ${value}`,
    search({ part }) {
      const pattern = part('pattern')
      return `(r.text ILIKE ${pattern} AND r.name ILIKE ${pattern} OR r.client_key = ANY (${part('clients')}::uuid[]))`
    },
    personId: ({ value }) => `r.person_id = ${value}::uuid`,
    person: ({ value }) => anyContains(['r.person'], value),
    withoutTeamTokens: () => `r.kind <> 'team_token'`,
    ...credentialConditions,
  },
  accessFilters: ['withoutTeamTokens'],
  scanFilters: ['live', 'kind', 'withoutTeamTokens'],
  toNode: (row) => row,
})

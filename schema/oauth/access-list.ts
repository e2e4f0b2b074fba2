import type { ClientSource } from '../../prisma/generated/client/enums.ts'
import { anyContains } from '../builder/search.ts'
import { defineList } from '../lists/list.ts'
import { rowsFrom } from '../lists/parts.ts'
import { tokenScopes } from '../core/scopes.ts'
import { isLiveAt } from '../core/team-access/live.ts'
import { isWorkingClient } from '../core/team-access/machines.ts'
import { byLastUse, credentialConditions } from '../tokens/credential-filters.ts'
import type { CredentialFilters, CredentialPersonFilters } from '../tokens/credential-filters.ts'
import { keptName } from '../teams/person.ts'
import { tokensOfMembers } from '../tokens/member-tokens/member-token-list.ts'
import { grantsOfTeam } from './grants/grant-list.ts'

/** A token, a grant, a client of the team or a workload identity that can access a team. Instants are text. */
export interface TeamAccessRow {
  id: string
  kind: TeamAccessKind
  /** The public identifier of a client; null for tokens and workload identities. */
  clientId: string | null
  /** Where the registration of a client comes from; null for tokens and workload identities. */
  clientSource: ClientSource | null
  name: string
  teamId: string
  lastFour: string | null
  personId: string | null
  personName: string | null
  personPictureId: string | null
  /** The identity provider that gave the access of a client; null if the user gave it, and for other kinds. */
  providerName: string | null
  isLimited: boolean
  scopes: string[]
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export type TeamAccessKind = 'team_token' | 'personal_token' | 'app' | 'client' | 'workload_identity'
export type TeamAccessOrder = 'name' | 'person' | 'created' | 'last_used' | 'expires'

/** Excludes tokens and grants that are revoked or expired. Always set, because they give no access. */
export interface TeamAccessFilters extends CredentialFilters, CredentialPersonFilters {
  live: true
  kind?: TeamAccessKind | null | undefined
  isAgent?: boolean | null | undefined
  /** Pattern for the names of tokens, and the internal keys of the clients that it matches. */
  search?: { pattern: string; clients: readonly string[] } | null
  /** Set for callers who may not list the tokens of the team, nor its clients and workload identities. */
  withoutTeamTokens?: true | null
}

/** The columns of every part, of a token or grant `r` of the user `u`. */
const common = `u.name AS person_name, u.picture_id AS person_picture_id, ${keptName('u')} AS person, r.id, r.scopes, r.created_at, r.last_used_at, r.expires_at, r.revoked_at`
/** The columns of parts without a client, including those that a search compares. */
const noProvider = 'NULL::text AS provider_name'
const noClient = `NULL::uuid AS client_key, NULL::text AS client_id, NULL::"ClientSource" AS client_source, ${noProvider}`
const ofToken = `r.name, r.last_four, ${noClient}`
const ofIdentity = `'workload_identity' AS kind, r.name, NULL AS last_four, ${noClient}, true AS is_limited, r.created_by_id AS person_id,
  u.name AS person_name, u.picture_id AS person_picture_id, ${keptName('u')} AS person, r.id, r.scopes, r.created_at, r.last_used_at,
  NULL::timestamptz AS expires_at, NULL::timestamptz AS revoked_at`
const ofApp = `'app' AS kind, c.name, NULL AS last_four, r.oauth_client_id AS client_key, c.client_id, c.source AS client_source, p.name AS provider_name, r.user_id AS person_id`
/** The columns of a client of the team that gets tokens for itself. It belongs to no person. */
const ofClient = `'client' AS kind, c.name, NULL AS last_four, NULL::uuid AS client_key, c.client_id, c.source AS client_source, ${noProvider}, true AS is_limited, NULL::uuid AS person_id,
  NULL::text AS person_name, NULL::text AS person_picture_id, NULL::text AS person, c.id,
  ARRAY(SELECT s FROM unnest(c.required_scopes || c.optional_scopes) s WHERE s = ANY ('{${tokenScopes.join(',')}}')) AS scopes, c.created_at,
  c.last_used_at, NULL::timestamptz AS expires_at, NULL::timestamptz AS revoked_at`

/** Returns the parts with their kinds: grants for the team are separate from those of its members. */
function listParts(team: string): [TeamAccessKind, string][] {
  const grants = grantsOfTeam(team)
  return [
    [
      'team_token',
      `SELECT 'team_token' AS kind, ${ofToken}, true AS is_limited, r.created_by_id AS person_id, ${common}
       FROM access_tokens r LEFT JOIN users u ON u.id = r.created_by_id WHERE r.team_id = ${team}`,
    ],
    [
      'personal_token',
      `SELECT 'personal_token' AS kind, ${ofToken}, r.team_ids <> '{}' AS is_limited, r.user_id AS person_id, ${common} ${tokensOfMembers(team)}`,
    ],
    ['app', `SELECT ${ofApp}, true AS is_limited, ${common} ${grants.ofTeam}`],
    ['app', `SELECT ${ofApp}, false AS is_limited, ${common} ${grants.ofMembers}`],
    ['client', `SELECT ${ofClient} FROM oauth_clients c WHERE c.owner_team_id = ${team} AND ${isWorkingClient}`],
    [
      'workload_identity',
      `SELECT ${ofIdentity} FROM workload_identities r LEFT JOIN users u ON u.id = r.created_by_id WHERE r.team_id = ${team}`,
    ],
  ]
}

/** The list of credentials, other than sessions, that can access a team. */
export const teamAccessList = defineList<TeamAccessRow, TeamAccessRow, TeamAccessOrder, TeamAccessFilters>({
  name: 'team access',
  rows(team, { kind }) {
    const parts = listParts(team).filter(([each]) => kind == null || each === kind)
    return parts.map(([, text]) => rowsFrom(team, text))
  },
  id: 'r.id',
  columns: `r.id, r.kind, r.client_id AS "clientId", r.client_source AS "clientSource", r.name, r.team_id AS "teamId", r.last_four AS "lastFour", r.person_id AS "personId", r.person_name AS "personName", r.person_picture_id AS "personPictureId", r.is_limited AS "isLimited", r.provider_name AS "providerName",
    to_json(r.scopes) AS scopes, r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt", r.expires_at AS "expiresAt"`,
  orders: {
    name: { keys: [['lower(r.name)', 'text']] },
    person: { keys: [['r.person', 'text']], isNullable: true },
    created: { keys: [['r.created_at', 'timestamptz']] },
    last_used: byLastUse,
    expires: { keys: [['r.expires_at', 'timestamptz']], isNullable: true },
  },
  filters: {
    live: ({ now }) => isLiveAt(now),
    kind: ({ value }) => `r.kind = ${value}`,
    isAgent: ({ value }) => `(r.client_source IS NOT NULL) = ${value}::boolean`,
    search: ({ part }) =>
      `CASE WHEN r.kind = 'app' THEN r.client_key = ANY (${part('clients')}::uuid[]) ELSE r.name ILIKE ${part('pattern')} END`,
    personId: ({ value }) => `r.person_id = ${value}::uuid`,
    person: ({ value }) => anyContains(['r.person'], value),
    withoutTeamTokens: () => `r.kind NOT IN ('team_token', 'client', 'workload_identity')`,
    ...credentialConditions,
  },
  accessFilters: ['withoutTeamTokens'],
  toNode: (row) => row,
})

import { listStatement } from '../builder/list-statement.ts'

/** A token or a grant that can access a team. Instants are text. */
export interface TeamAccessRow {
  id: string
  kind: TeamAccessKind
  name: string
  lastFour: string | null
  personName: string | null
  isLimited: boolean
  scopes: string[]
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export type TeamAccessKind = 'team_token' | 'personal_token' | 'app'
export type TeamAccessOrder = 'name' | 'person' | 'created' | 'last_used' | 'expires'

type Values = [
  teamId: string,
  now: Date,
  tokenScopes: readonly string[],
  pattern: string | null,
  kind: TeamAccessKind | null,
  personPattern: string | null,
  seesTeamTokens: boolean,
]

const live = '(t.expires_at IS NULL OR t.expires_at > $4) AND t.revoked_at IS NULL'
const token = 't.id, t.name, t.last_four AS "lastFour"'
const times = 'to_json(t.scopes) AS scopes, t.created_at AS "createdAt", t.last_used_at AS "lastUsedAt", t.expires_at AS "expiresAt"'
const ofApp = `SELECT t.id, c.name, NULL, 'app', u.name, u.email, t.team_id IS NOT NULL, ${times}`

/**
 * Reads a page of what can access a team besides its signed-in members. The conditions are those of `tokensWithAccess` and
 * `grantsWithAccess`. Indexes on the team and on the user find the rows; names are compared after that.
 */
export const findTeamAccessRows = listStatement<TeamAccessRow, TeamAccessOrder, Values>({
  name: 'team_access',
  matching: `
    SELECT a.*, lower(a.name) AS "sortName", lower(a."personName") AS "sortPerson" FROM (
      SELECT ${token}, 'team_token' AS kind, u.name AS "personName", u.email, true AS "isLimited", ${times}
      FROM access_tokens t LEFT JOIN users u ON u.id = t.created_by_id WHERE t.team_id = $3 AND $9 AND ${live}
      UNION ALL
      SELECT ${token}, 'personal_token', u.name, u.email, t.team_ids <> '{}', ${times}
      FROM members m JOIN users u ON u.id = m.user_id JOIN access_tokens t ON t.user_id = u.id
      WHERE m.team_id = $3 AND u.disabled_at IS NULL AND ${live} AND $3 <> ALL (t.revoked_team_ids)
        AND (t.team_ids = '{}' OR $3 = ANY (t.team_ids))
      UNION ALL
      ${ofApp} FROM oauth_grants t JOIN users u ON u.id = t.user_id JOIN oauth_clients c ON c.id = t.oauth_client_id
      WHERE t.team_id = $3 AND ${live} AND $3 <> ALL (t.revoked_team_ids)
      UNION ALL
      ${ofApp} FROM members m JOIN oauth_grants t ON t.user_id = m.user_id JOIN users u ON u.id = t.user_id
        JOIN oauth_clients c ON c.id = t.oauth_client_id
      WHERE m.team_id = $3 AND t.team_id IS NULL AND t.scopes && $5::text[] AND ${live} AND $3 <> ALL (t.revoked_team_ids)
    ) a
    WHERE ($6::text IS NULL OR a.name ILIKE $6) AND ($7::text IS NULL OR a.kind = $7)
      AND ($8::text IS NULL OR a."personName" ILIKE $8 OR a.email ILIKE $8)`,
  columns: 'r.*',
  orders: { name: '"sortName"', person: '"sortPerson"', created: '"createdAt"', last_used: '"lastUsedAt"', expires: '"expiresAt"' },
})

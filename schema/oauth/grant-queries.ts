import { statement } from '../../prisma/statement.ts'

// SQL for speed: the condition of `grantsWithAccess` in grant.ts as a UNION, in which each side uses an index. Prisma writes an OR,
// for which PostgreSQL reads all grants.
const grantsOfTeam = `(
  SELECT id, created_at, expires_at, revoked_at, revoked_team_ids FROM oauth_grants WHERE team_id = $1
  UNION ALL
  SELECT g.id, g.created_at, g.expires_at, g.revoked_at, g.revoked_team_ids FROM members m JOIN oauth_grants g ON g.user_id = m.user_id
  WHERE m.team_id = $1 AND g.team_id IS NULL AND g.scopes && $2::text[]
) g WHERE g.revoked_at IS NULL AND g.expires_at > $3 AND $1 <> ALL (g.revoked_team_ids)`

type Parameters = [teamId: string, scopes: readonly string[], now: Date]

/** Counts the live grants that can access a team. */
export const countGrantsWithAccess = statement<{ total: number }, Parameters>(
  'count_grants_with_access',
  `SELECT count(*) AS total FROM ${grantsOfTeam}`,
)

/** Selects the identifiers of one page of these grants, newest first. */
export const selectGrantsWithAccess = statement<{ id: string }, [...Parameters, limit: number, offset: number]>(
  'select_grants_with_access',
  `SELECT g.id FROM ${grantsOfTeam} ORDER BY g.created_at DESC, g.id DESC LIMIT $4 OFFSET $5`,
)

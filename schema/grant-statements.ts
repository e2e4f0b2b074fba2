import { statement } from '../prisma/statement.ts'

// `touching` of grant.ts as a union, each side with an index of its own: with an OR PostgreSQL reads every grant there is.
const touchingTeam = `(
  SELECT id, created_at, expires_at, revoked_at, cut_team_ids FROM oauth_grants WHERE team_id = $1
  UNION ALL
  SELECT g.id, g.created_at, g.expires_at, g.revoked_at, g.cut_team_ids FROM members m JOIN oauth_grants g ON g.user_id = m.user_id
  WHERE m.team_id = $1 AND g.team_id IS NULL AND g.scopes && $2::text[]
) g WHERE g.revoked_at IS NULL AND g.expires_at > $3 AND $1 <> ALL (g.cut_team_ids)`

type Asked = [teamId: string, scopes: readonly string[], now: Date]

/** How many live grants touch a team. */
export const countTouching = statement<{ total: number }, Asked>('count_grants_touching', `SELECT count(*) AS total FROM ${touchingTeam}`)

/** Identifiers of a page of them, newest first. */
export const pageTouching = statement<{ id: string }, [...Asked, limit: number, offset: number]>(
  'page_grants_touching',
  `SELECT g.id FROM ${touchingTeam} ORDER BY g.created_at DESC, g.id DESC LIMIT $4 OFFSET $5`,
)

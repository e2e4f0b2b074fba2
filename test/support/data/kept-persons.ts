import { expect } from 'vitest'
import type pg from 'pg'

/**
 * Fails unless the kept name and address of every member, team token and grant for a team are those of the user, and all others have none. Reads
 * one snapshot, so writers may be active.
 */
export async function expectExactPersons(session: pg.Pool | pg.ClientBase): Promise<void> {
  const { rows } = await session.query(
    `SELECT r.*, u.name, u.email
     FROM (SELECT 'member' AS kind, team_id, user_id, person FROM members
       UNION ALL SELECT 'token', team_id, created_by_id, person FROM access_tokens
       UNION ALL SELECT 'grant', team_id, user_id, person FROM oauth_grants) r
     LEFT JOIN users u ON u.id = r.user_id
     WHERE r.person IS DISTINCT FROM CASE WHEN r.team_id IS NOT NULL THEN lower(u.name) || chr(10) || u.email END`,
  )
  expect(rows).toEqual([])
}

import { expect } from 'vitest'
import type pg from 'pg'

const plain = `
  SELECT team_id, 'members' AS list, '' AS key, count(*) FROM members GROUP BY 1
  UNION ALL SELECT team_id, 'invoices', coalesce(application::text, ''), count(*) FROM invoices GROUP BY 1, 3`
const kept = `SELECT team_id, list, key, sum(count)::bigint AS count FROM team_counts GROUP BY 1, 2, 3 HAVING sum(count) <> 0`

/** The kept counts and the plain counts that are not equal. Both are of one snapshot, so writers may be active. */
export async function differingCounts(session: pg.Pool | pg.ClientBase): Promise<object[]> {
  const { rows } = await session.query<object>(
    `(SELECT 'kept' AS source, * FROM (${kept} EXCEPT ${plain.replaceAll('UNION ALL', 'EXCEPT')}) k)
     UNION ALL (SELECT 'plain', * FROM ((${plain}) EXCEPT ${kept}) p)`,
  )
  return rows
}

/** Fails unless every kept count equals the plain count. Returns the number of counted rows. */
export async function expectExactCounts(session: pg.Pool | pg.ClientBase): Promise<number> {
  expect(await differingCounts(session)).toEqual([])
  const { rows } = await session.query<{ total: number }>(`SELECT coalesce(sum(count), 0)::int AS total FROM team_counts`)
  return rows[0]?.total ?? 0
}

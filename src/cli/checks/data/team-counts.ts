import type { Check } from '../check.ts'

// Compares in one statement, and so in one snapshot: the rows and the counts of a transaction are both in it, or neither.
const wrongCounts = `
  WITH plain AS (
    SELECT team_id, 'members' AS list, '' AS key, count(*) AS rows FROM members GROUP BY team_id
    UNION ALL SELECT team_id, 'invoices', coalesce(application::text, ''), count(*) FROM invoices GROUP BY team_id, application
  ), kept AS (SELECT team_id, list, key, sum(count) AS count FROM team_counts GROUP BY team_id, list, key),
  wrong AS (
    SELECT team_id, list, key, coalesce(rows, 0) AS rows, coalesce(count, 0) AS count FROM plain FULL JOIN kept USING (team_id, list, key)
    WHERE coalesce(rows, 0) <> coalesce(count, 0)
  )`

interface WrongCount {
  team: string
  list: string
  key: string
  rows: string
  count: string
}

/** The kept counts of lists (docs/decisions/pagination.md#kept-counts). */
export const teamCounts: Check = {
  name: 'counts',
  description: 'the kept numbers of members and invoices match the rows',
  needsMigrations: true,
  async run({ session }) {
    const { rows } = await session.query<WrongCount>(
      `${wrongCounts} SELECT coalesce(t.slug, w.team_id::text) AS team, w.list, w.key, w.rows, w.count
       FROM wrong w LEFT JOIN teams t ON t.id = w.team_id ORDER BY team, list, key`,
    )
    return rows.map(({ team, list, key, rows: exist, count }) => {
      const problem = `${list} of team ${team}${key === '' ? '' : ` for ${key}`}: ${count} counted, ${exist} exist`
      return { problem, action: 'run doctor --repair' }
    })
  },
  // Adds the differences instead of changing counts, so that it neither waits for writers nor overwrites what they add.
  async repair(session) {
    await session.query(
      `${wrongCounts} INSERT INTO team_counts (team_id, list, key, count)
       SELECT team_id, list, key, rows - count FROM wrong WHERE EXISTS (SELECT FROM teams WHERE id = team_id)`,
    )
    await session.query('DELETE FROM team_counts c WHERE NOT EXISTS (SELECT FROM teams WHERE id = c.team_id)')
  },
}

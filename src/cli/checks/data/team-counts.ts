import { collectRows, formatCount } from '../rows.ts'
import type { Check } from '../check.ts'
import { readIdRanges } from './id-ranges.ts'

/** Number of teams whose counts one statement compares. */
const teamsAtOnce = 1000

const inRange = 'team_id > $1::uuid AND team_id <= $2::uuid'

// Compares a team in one statement, and so in one snapshot: it contains both the rows and the counts of a transaction, or neither.
const wrongCounts = `
  WITH plain AS (
    SELECT team_id, 'members' AS list, '' AS key, count(*) AS rows FROM members WHERE ${inRange} GROUP BY team_id
    UNION ALL SELECT team_id, 'invoices', coalesce(application::text, ''), count(*) FROM invoices WHERE ${inRange} GROUP BY team_id, application
  ), kept AS (SELECT team_id, list, key, sum(count) AS count FROM team_counts WHERE ${inRange} GROUP BY team_id, list, key),
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
  /** Number of wrong counts in the range. */
  total: number
}

/** The stored counts of lists (docs/decisions/pagination.md#kept-counts). */
export const teamCountsCheck: Check = {
  name: 'counts',
  description: 'the kept numbers of members and invoices match the rows',
  needsMigrations: true,
  async run({ session }) {
    const { rows, add } = collectRows()
    for await (const range of readIdRanges(session, 'teams', teamsAtOnce)) {
      const { rows: wrong } = await session.query<WrongCount>(
        `${wrongCounts} SELECT coalesce(t.slug, w.team_id::text) AS team, w.list, w.key, w.rows, w.count, (count(*) OVER ())::int AS total
         FROM wrong w LEFT JOIN teams t ON t.id = w.team_id ORDER BY team, list, key LIMIT 10`,
        [...range],
      )
      add(wrong.map(describe), wrong[0]?.total)
    }
    if (rows.count === 0) return []
    const problem = `${formatCount(rows.count, 'kept number differs', 'kept numbers differ')} from the rows`
    return [{ problem, action: 'run doctor --repair', rows }]
  },
  // Adds the differences instead of setting the counts, so that it neither waits for writers nor overwrites their additions.
  async repair(session) {
    for await (const range of readIdRanges(session, 'teams', teamsAtOnce)) {
      await session.query(
        `${wrongCounts} INSERT INTO team_counts (team_id, list, key, count)
         SELECT team_id, list, key, rows - count FROM wrong WHERE EXISTS (SELECT FROM teams WHERE id = team_id)`,
        [...range],
      )
      await session.query(`DELETE FROM team_counts c WHERE ${inRange} AND NOT EXISTS (SELECT FROM teams WHERE id = c.team_id)`, [...range])
    }
  },
}

const describe = ({ team, list, key, rows, count }: WrongCount): string =>
  `${list} of team ${team}${key === '' ? '' : ` for ${key}`}: ${count} counted, ${rows} exist`

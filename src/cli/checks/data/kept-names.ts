import { collectRows, formatCount } from '../rows.ts'
import type { Check } from '../check.ts'
import { readIdRanges } from './id-ranges.ts'

/** Number of users whose memberships one statement compares. */
const usersAtOnce = 10_000

/** The members `m` of a range of users whose stored name is not that of their user `u`. */
const wrongMembers = `members m JOIN users u ON u.id = m.user_id
  WHERE u.id > $1::uuid AND u.id <= $2::uuid AND m.user_id > $1::uuid AND m.user_id <= $2::uuid AND m.person <> kept_name(u.name, u.email)`

/** The names stored with members (docs/decisions/pagination.md#kept-names). */
export const keptNamesCheck: Check = {
  name: 'names',
  description: 'the names kept with members match the users',
  needsMigrations: true,
  async run({ session }) {
    const { rows, add } = collectRows()
    for await (const range of readIdRanges(session, 'users', usersAtOnce)) {
      const { rows: wrong } = await session.query<{ slug: string; email: string; total: number }>(
        `SELECT (SELECT slug FROM teams WHERE id = w.team_id) AS slug, w.email, w.total FROM (
           SELECT m.team_id, u.email, (count(*) OVER ())::int AS total FROM ${wrongMembers} ORDER BY u.email, m.team_id LIMIT 10
         ) w ORDER BY w.email, slug`,
        [...range],
      )
      add(
        wrong.map(({ slug, email }) => `member ${email} of team ${slug}`),
        wrong[0]?.total,
      )
    }
    if (rows.count === 0) return []
    const problem = `${formatCount(rows.count, 'member has', 'members have')} a kept name or email address that differs from the user's`
    return [{ problem, action: 'run doctor --repair', rows }]
  },
  // The trigger of the column replaces the text. Users are locked first, as by a change of a name.
  async repair(session) {
    for await (const range of readIdRanges(session, 'users', usersAtOnce)) {
      await session.query(`SELECT FROM users WHERE id IN (SELECT m.user_id FROM ${wrongMembers}) ORDER BY id FOR KEY SHARE`, [...range])
      await session.query(`UPDATE members SET person = '' WHERE (team_id, user_id) IN (SELECT m.team_id, m.user_id FROM ${wrongMembers})`, [
        ...range,
      ])
    }
  },
}

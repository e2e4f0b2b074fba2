import type { Check } from '../check.ts'

/** The members `m` whose kept name is not that of their user `u`. */
const wrongMembers = 'members m JOIN users u ON u.id = m.user_id WHERE m.person <> kept_name(u.name, u.email)'

/** The names kept with members (docs/decisions/pagination.md#kept-names). */
export const keptNames: Check = {
  name: 'names',
  description: 'the names kept with members match the users',
  needsMigrations: true,
  async run({ session }) {
    const { rows } = await session.query<{ slug: string; email: string }>(
      `SELECT (SELECT slug FROM teams WHERE id = m.team_id) AS slug, u.email FROM ${wrongMembers} ORDER BY slug, email`,
    )
    return rows.map(({ slug, email }) => ({
      problem: `member ${email} of team ${slug}: the kept name or address differs from the user's`,
      action: 'run doctor --repair',
    }))
  },
  // The trigger of the column replaces the text. Users are locked first, as by a change of a name.
  async repair(session) {
    await session.query(`SELECT FROM users WHERE id IN (SELECT m.user_id FROM ${wrongMembers}) ORDER BY id FOR KEY SHARE`)
    await session.query(`UPDATE members SET person = '' WHERE (team_id, user_id) IN (SELECT m.team_id, m.user_id FROM ${wrongMembers})`)
  },
}

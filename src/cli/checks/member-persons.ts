import type { Check } from './check.ts'

const wrongPersons = `
  FROM members m JOIN users u ON u.id = m.user_id WHERE m.person <> lower(u.name) || E'\\n' || u.email`

/** The kept names and addresses of members (docs/decisions/pagination.md#kept-names). */
export const memberPersons: Check = {
  name: 'names',
  description: 'the names and addresses kept with members match the users',
  needsMigrations: true,
  async run({ session }) {
    const { rows } = await session.query<{ team: string; email: string }>(
      `SELECT t.slug AS team, u.email ${wrongPersons.replace('WHERE', 'JOIN teams t ON t.id = m.team_id WHERE')} ORDER BY team, email`,
    )
    return rows.map(({ team, email }) => ({
      problem: `member ${email} of team ${team}: the kept name or address differs from the user's`,
      action: 'run doctor --repair',
    }))
  },
  // The trigger of the column replaces the text. Users are locked first, as by a change of a name.
  async repair(session) {
    const { rows } = await session.query<{ id: string }>(
      `SELECT id FROM users WHERE id IN (SELECT m.user_id ${wrongPersons}) ORDER BY id FOR KEY SHARE`,
    )
    await session.query(`UPDATE members SET person = '' WHERE user_id = ANY ($1::uuid[])`, [rows.map(({ id }) => id)])
  },
}

import type { Check } from './check.ts'

/** The tables with a kept name, the column that refers to its user, and what a row is called. */
const tables = [
  { table: 'members', column: 'user_id', noun: 'member' },
  { table: 'access_tokens', column: 'created_by_id', noun: 'token created by' },
  { table: 'oauth_grants', column: 'user_id', noun: 'grant of' },
] as const

/** The condition on the rows `r` whose kept name is wrong. Rows without a team have none. */
const isWrong = (column: string) =>
  `r.person IS DISTINCT FROM (SELECT lower(u.name) || E'\\n' || u.email FROM users u WHERE u.id = r.${column} AND r.team_id IS NOT NULL)`

/** The grants `g` of clients `c` whose kept name of the client is wrong. */
const isWrongClient = 'c.id = g.oauth_client_id AND g.sort_name <> lower(c.name)'

/** The names kept with rows of teams and of users (docs/decisions/pagination.md#kept-names). */
export const keptNames: Check = {
  name: 'names',
  description: 'the names kept with members, team tokens and grants match the users and clients',
  needsMigrations: true,
  async run({ session }) {
    const found = tables.map(
      ({ table, column, noun }) => `SELECT '${noun}' AS noun, (SELECT slug FROM teams WHERE id = r.team_id) AS team,
        (SELECT email FROM users WHERE id = r.${column}) AS email FROM ${table} r WHERE ${isWrong(column)}`,
    )
    const { rows } = await session.query<{ noun: string; team: string | null; email: string | null }>(
      `${found.join(' UNION ALL ')} ORDER BY team, email, noun`,
    )
    const { rows: clients } = await session.query<{ clientId: string; grants: string }>(
      `SELECT c.client_id AS "clientId", count(*) AS grants FROM oauth_grants g, oauth_clients c WHERE ${isWrongClient} GROUP BY 1 ORDER BY 1`,
    )
    const problems = [
      ...rows.map(
        ({ noun, team, email }) =>
          `${noun} ${email ?? 'nobody'} of ${team === null ? 'no team' : `team ${team}`}: the kept name or address differs from the user's`,
      ),
      ...clients.map(({ clientId, grants }) => `client ${clientId}: the name kept with ${grants} of its grants differs from the client's`),
    ]
    return problems.map((problem) => ({ problem, action: 'run doctor --repair' }))
  },
  // The triggers of the columns replace the text. Users are locked first, as by a change of a name.
  async repair(session) {
    const users = tables.map(({ table, column }) => `SELECT r.${column} FROM ${table} r WHERE ${isWrong(column)}`).join(' UNION ')
    await session.query(`SELECT FROM users WHERE id IN (${users}) ORDER BY id FOR KEY SHARE`)
    for (const { table, column } of tables) await session.query(`UPDATE ${table} r SET person = '' WHERE ${isWrong(column)}`)
    await session.query(`UPDATE oauth_grants g SET sort_name = '' FROM oauth_clients c WHERE ${isWrongClient}`)
  },
}

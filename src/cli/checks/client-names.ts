import type { Check } from './check.ts'

const isWrong = 'g.sort_name <> lower(c.name)'

/** The names of clients kept with grants (docs/decisions/pagination.md#kept-names). */
export const clientNames: Check = {
  name: 'clients',
  description: 'the names kept with grants match the clients',
  needsMigrations: true,
  async run({ session }) {
    const { rows } = await session.query<{ clientId: string; grants: string }>(
      `SELECT c.client_id AS "clientId", count(*) AS grants FROM oauth_grants g JOIN oauth_clients c ON c.id = g.oauth_client_id
       WHERE ${isWrong} GROUP BY 1 ORDER BY 1`,
    )
    return rows.map(({ clientId, grants }) => ({
      problem: `client ${clientId}: the name kept with ${grants} of its grants differs from the client's`,
      action: 'run doctor --repair',
    }))
  },
  // The trigger of the column replaces the text.
  async repair(session) {
    await session.query(`UPDATE oauth_grants g SET sort_name = '' FROM oauth_clients c WHERE c.id = g.oauth_client_id AND ${isWrong}`)
  },
}

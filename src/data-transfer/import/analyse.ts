import type { ClientBase } from 'pg'

/**
 * Tables of the service, with those that triggers fill, that are more than twice as large as when they were last analysed. `relpages` is 0
 * for an empty table; two pages are read faster than any index.
 */
const findGrown = `
  SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'teams'::regclass)
    AND pg_relation_size(oid) > 2 * greatest(relpages, 1) * current_setting('block_size')::bigint`

/**
 * Analyses tables as an import fills them. Where they were analysed while empty, as `restore` does at its end, PostgreSQL plans to read
 * them completely, and the sessions keep those plans for triggers and foreign keys: a chunk would take seconds. ANALYZE invalidates them.
 */
export async function analyseGrown(session: ClientBase): Promise<void> {
  const { rows } = await session.query<{ name: string }>(findGrown)
  if (rows.length > 0) await session.query(`ANALYZE ${rows.map(({ name }) => name).join(', ')}`)
}

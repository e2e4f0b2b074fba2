import type { ClientBase } from 'pg'

/**
 * Selects the tables of the service, including those that triggers fill, that are more than twice as large as at their last ANALYZE.
 * `relpages` is 0 for an empty table; two pages are read faster than any index.
 */
const findGrown = `
  SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'teams'::regclass)
    AND pg_relation_size(oid) > 2 * greatest(relpages, 1) * current_setting('block_size')::bigint`

/**
 * Analyses tables as an import fills them. If they were analysed while empty, as at the end of `restore`, PostgreSQL plans to read them
 * completely, and the sessions keep those plans for triggers and foreign keys. A chunk would then take seconds.
 */
export async function analyseGrown(session: ClientBase): Promise<void> {
  const { rows } = await session.query<{ name: string }>(findGrown)
  if (rows.length > 0) await session.query(`ANALYZE ${rows.map(({ name }) => name).join(', ')}`)
}

import type { ClientBase } from 'pg'
import { urlConnection, withSession } from '../../../../src/database/connection.ts'

/** How many rows a large database has. */
export interface ManyEntries {
  teams: number
  /** Webhooks, each of a team of its own. */
  webhooks: number
  entries: number
  /** The transactions that wrote the entries. */
  transactions: number
}

/**
 * Adds teams, entries of the audit log of half of the teams, and webhooks of the other half, which did nothing for a year. Triggers and foreign
 * keys are off meanwhile.
 */
export const addManyEntries = (databaseUrl: string, { teams, webhooks, entries, transactions }: ManyEntries): Promise<void> =>
  withSession(urlConnection(databaseUrl), async (session) => {
    await session.query('SET synchronous_commit = off')
    await session.query('SET session_replication_role = replica')
    await session.query(`SET maintenance_work_mem = '256MB'`)
    const first = `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS id`
    const { rows } = await session.query(first)
    const firstTransaction = rows[0].id
    // The entries need identifiers of transactions that have ended.
    await session.query(`DO $$ BEGIN FOR n IN 1..${transactions} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`)
    await session.query(
      `INSERT INTO teams (slug, name, updated_at) SELECT 'many-' || n, 'Team ' || n, now() FROM generate_series(1, ${teams}) n`,
    )
    await session.query(`CREATE TEMP TABLE numbered AS SELECT id, substr(slug, 6)::int AS n FROM teams WHERE slug ~ '^many-[0-9]+$'`)
    await withoutIndexes(session, 'audit_entries', () =>
      session.query(
        `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, request_id, transaction_id)
         SELECT now() - (${entries} - g.n) * interval '1 ms', 'updateTeam', 'user', 'Ada', 'session', t.id, t.id, g.n,
           ($1::bigint + g.n::bigint * ${transactions - 1} / ${entries})::text::xid8
         FROM generate_series(1, ${entries}) g (n) JOIN numbered t ON t.n = 1 + g.n % (${teams} / 2)`,
        [firstTransaction],
      ),
    )
    await session.query(
      `INSERT INTO webhooks (team_id, url, description, types, secret, events_since,
         position_transaction_id, position_at, position_id, position_part)
       SELECT id, 'https://example.com/' || n, '', '{}', '\\x00', now() - interval '1 year',
         $1::text::xid8, now() - interval '1 year', '00000000-0000-0000-0000-000000000000', 0
       FROM numbered WHERE n > ${teams} / 2 AND n <= ${teams} / 2 + ${webhooks}`,
      [firstTransaction],
    )
    await session.query('VACUUM ANALYZE teams, audit_entries, webhooks')
  })

/** Creates the indexes of a table after its rows, which takes a fraction of the time. */
export async function withoutIndexes(session: ClientBase, table: string, addRows: () => Promise<unknown>): Promise<void> {
  const { rows } = await session.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
     WHERE i.indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [table],
  )
  for (const { name } of rows) await session.query(`DROP INDEX ${name}`)
  await addRows()
  for (const { definition } of rows) await session.query(definition)
}

import type { ClientBase, Pool } from 'pg'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createSecret } from '../../../schema/webhooks/secret.ts'

type Session = Pick<ClientBase, 'query'> | Pick<Pool, 'query'>

/** Adds a webhook of a team for all types of events, from now on, with a secret under this SECRET_KEY. */
export async function insertWebhook(session: Session, secretKey: string, slug: string, url: string): Promise<void> {
  const id = crypto.randomUUID()
  const { encrypted } = createSecret({ deriveSecret: secretDeriver(secretKey) }, id)
  await session.query(
    `INSERT INTO webhooks (id, team_id, url, description, types, secret, events_since,
       position_transaction_id, position_at, position_id, position_part)
     SELECT $1, id, $3, '', '{}', $4, now(), (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8, now(),
       '00000000-0000-0000-0000-000000000000', 0 FROM teams WHERE slug = $2`,
    [id, slug, url, encrypted],
  )
}

/** Writes events of a team at once, as changes of its name would. */
export const insertEvents = (session: Session, slug: string, count: number) =>
  session.query(
    `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, before, after, request_id)
     SELECT now() + n * interval '1 ms', 'updateTeam', 'user', 'Ada', 'session', t.id, t.slug, '{"name":"Old"}', '{"name":"New"}', n::text
     FROM teams t, generate_series(1, $2::int) n WHERE t.slug = $1`,
    [slug, count],
  )

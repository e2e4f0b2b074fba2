import type pg from 'pg'

const insert = `WITH added AS (
    INSERT INTO webhooks (team_id, url, description, types, secret, events_since, position_transaction_id, position_at, position_id, position_part)
    VALUES ($1, 'https://example.com/hook', 'Sync', '{}', '\\x00', now(), '3', now(), gen_random_uuid(), 0) RETURNING id)
  INSERT INTO webhook_deliveries (webhook_id, type, part, attempt, at, result, latency_milliseconds)
  SELECT id, 'team.updated', 0, 1, $2, 'failed', 1 FROM added RETURNING id, webhook_id AS "webhookId"`

/** Adds a webhook that cannot be used to a team, with the delivery of a test event. Returns the identifiers of both. */
export async function insertDelivery(pool: pg.Pool, teamId: string, at: Date): Promise<{ id: string; webhookId: string }> {
  const { rows } = await pool.query<{ id: string; webhookId: string }>(insert, [teamId, at])
  return rows[0] ?? { id: '', webhookId: '' }
}

import { eventParts } from '../events/catalogue.ts'

const oldestOf = (team: string, condition: string) => `
  SELECT oldest.at FROM webhooks w CROSS JOIN LATERAL (
    SELECT e.at FROM audit_entries e
    WHERE ${condition} AND (e.transaction_id, e.at, e.id) > (w.position_transaction_id, w.position_at, w.position_id)
      AND e.at >= w.events_since
      AND EXISTS (SELECT FROM unnest($1::text[], $2::text[]) t (action, type)
        WHERE t.action = e.action AND (w.types = '{}' OR t.type = ANY (w.types)))
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.entry_id = e.id)
    ORDER BY e.transaction_id, e.at, e.id LIMIT 1
  ) oldest WHERE w.team_id ${team} AND w.disabled_at IS NULL AND w.failing_since IS NULL`

/**
 * The SQL for the seconds since the oldest event that no attempt was made to deliver, of the webhooks that work; 0 if there is none. It reads
 * one entry of an index for each webhook that has nothing to deliver.
 */
export const lag = {
  text: `SELECT coalesce(greatest(extract(epoch FROM now() - min(at)), 0), 0)::float8 AS seconds FROM (
    ${oldestOf('IS NOT NULL', 'e.team_id = w.team_id')} UNION ALL ${oldestOf('IS NULL', 'e.team_id IS NOT NULL')}) unattempted`,
  values: [eventParts.map(({ action }) => action), eventParts.map(({ type }) => type)],
} as const

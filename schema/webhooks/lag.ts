import { eventParts } from '../events/catalogue.ts'
import { inOrder } from '../events/stream.ts'

/** The number of webhooks by state, and the seconds for which the oldest event has been waiting for its first attempt. */
export interface WebhookTotals {
  enabled: number
  failing: number
  disabled: number
  lagSeconds: number
}

/** The parameters of `isUnattempted`. */
export const actionsAndTypes = [eventParts.map(({ action }) => action), eventParts.map(({ type }) => type)] as const

/** SQL condition that no attempt was made to deliver an entry `e` to a webhook `w` that wants it. $1 and $2 are `actionsAndTypes`. */
export const isUnattempted = `e.team_id IS NOT NULL AND e.at >= w.events_since
  AND EXISTS (SELECT FROM unnest($1::text[], $2::text[]) t (action, type)
    WHERE t.action = e.action AND (w.types = '{}' OR t.type = ANY (w.types)))
  AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.entry_id = e.id)`

const selectOldest = (team: string, condition: string) => `
  SELECT oldest.at FROM webhooks w CROSS JOIN LATERAL (
    SELECT e.at FROM audit_entries e
    WHERE ${condition} AND (${inOrder('e')}) > (w.position_transaction_id, w.position_at, w.position_id) AND ${isUnattempted}
    ORDER BY ${inOrder('e')} LIMIT 1
  ) oldest WHERE w.id > $3::uuid AND w.id <= $4::uuid AND w.team_id ${team} AND w.disabled_at IS NULL AND w.failing_since IS NULL`

const text = `SELECT coalesce(greatest(extract(epoch FROM now() - min(at)), 0), 0)::float8 AS seconds FROM (
  ${selectOldest('IS NOT NULL', 'e.team_id = w.team_id')} UNION ALL ${selectOldest('IS NULL', 'true')}) unattempted`

/**
 * Builds the statement for the seconds since the oldest event that no attempt was made to deliver; 0 if there is none. It covers the
 * working webhooks whose identifiers are after `after`, up to and including `upTo`. It is for a command; the service reads fewer entries of
 * each webhook (src/webhooks/check-webhooks.ts).
 */
export const readLag = (after: string, upTo: string) => ({ text, values: [...actionsAndTypes, after, upTo] })

import { statement } from '../../prisma/statement/statement.ts'

/** An audit entry as an event. */
export interface EventRow {
  id: string
  at: string
  action: string
  subject: string
}

/** The place of an event in the order of all events of its team. */
export interface Position {
  transactionId: string
  at: string
  id: string
}

/** An event with its place in the order, and whether no event before it can be committed any more. */
export type OrderedEvent = EventRow & Position & { isSettled: boolean }

/**
 * Reads the next events of a team after a position, without those that a snapshot, unless it is null, contains. The order is that of
 * the transactions, because the order of commits is stored nowhere. A transaction that is still running could commit an event that
 * comes before one that can be seen already; such an event is not settled. Entries that are much older than the position were
 * restored from a dump, with the transactions of another database server.
 */
export const findEvents = statement<OrderedEvent, [teamId: string, ...position: [string, string, string], snapshot: string | null]>(
  'team_events',
  `SELECT id, at, action, subject, transaction_id::text AS "transactionId",
     transaction_id < pg_snapshot_xmin(pg_current_snapshot()) AS "isSettled"
   FROM audit_entries
   WHERE team_id = $1 AND (transaction_id, at, id) > ($2::xid8, $3::timestamptz, $4::uuid)
     AND transaction_id < pg_snapshot_xmax(pg_current_snapshot()) AND at > $3::timestamptz - interval '1 hour'
     AND ($5::text IS NULL OR NOT pg_visible_in_snapshot(transaction_id, $5::pg_snapshot))
   ORDER BY transaction_id, at, id LIMIT 100`,
)

/** The position before every transaction that is not committed yet, and the current snapshot. */
export const findPresent = statement<Position & { snapshot: string }, []>(
  'team_events_present',
  `SELECT (pg_snapshot_xmin(s)::text::bigint - 1)::text AS "transactionId", now() AS at,
     '00000000-0000-0000-0000-000000000000' AS id, s::text AS snapshot
   FROM pg_current_snapshot() s`,
)

/** The position of an event of a team; no row if there is none, or if it was restored from a dump of another database server. */
export const findPosition = statement<Position, [teamId: string, id: string]>(
  'team_event_position',
  `SELECT transaction_id::text AS "transactionId", at, id FROM audit_entries
   WHERE team_id = $1 AND id = $2 AND transaction_id < pg_snapshot_xmax(pg_current_snapshot())`,
)

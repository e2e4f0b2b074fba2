import { statement } from '../../prisma/statement/statement.ts'
import type { Executor } from '../../prisma/statement/statement.ts'
import { eventParts } from './catalogue.ts'
import type { EventPart } from './catalogue.ts'
import type { EventValues } from './event-data.ts'

// This module reads the stream of events (docs/decisions/events.md#feed) for the feed, the subscription, webhooks and replays. The order is
// that of the transactions, because the order of commits is stored nowhere.

/** The position of an event in the stream. */
export interface EventPosition {
  transactionId: string
  at: string
  /** Identifier of the audit entry. */
  id: string
  /** Position among the events of the entry. */
  part: number
}

/** The position before all events. PostgreSQL's transactions begin with 3. */
export const beginning: EventPosition = { transactionId: '0', at: '-infinity', id: '00000000-0000-0000-0000-000000000000', part: 0 }

/** The part of the position after all events of an entry. */
export const lastPart = 32_767

/** An event with the values from which its data is built. */
export interface EventRow extends EventPosition, EventValues {
  action: string
  /** Slug of the team. */
  team: string
  actorKind: string
  actorUserId: string | null
  actorName: string
}

/** SQL for the oldest transaction that is still running. Entries before it are settled: no transaction can commit an earlier one. */
export const horizon = 'pg_snapshot_xmin(pg_current_snapshot())'

/**
 * SQL for the columns of the position before all entries of the transaction at a horizon. The time is a day ago, because a running import
 * writes entries with the time of its start.
 */
export const positionAt = (transaction: string) =>
  `${transaction}::text::xid8, now() - interval '1 day', '00000000-0000-0000-0000-000000000000'::uuid, 0`

/** SQL for the order of entries. */
export const inOrder = (entry: string) => `${entry}.transaction_id, ${entry}.at, ${entry}.id`

/** SQL for the table of the selected events of each action. `first` is the number of the first of three parameters from `toColumns`. */
export const buildEventTable = (first: number) =>
  `unnest($${first}::text[], $${first + 1}::smallint[], $${first + 2}::text[]) AS w (action, part, source)`

/** Returns the columns of the table of selected events. */
export const toColumns = (parts: readonly EventPart[]) =>
  [
    parts.map(({ action }) => action),
    parts.map(({ part }) => part),
    parts.map(({ source }) => source),
  ] as const satisfies readonly (readonly unknown[])[]

export type EventColumns = ReturnType<typeof toColumns>
type PositionValues = [transactionId: string, at: string, id: string]

/** The parameters $2 to $9 of statements that read the next events. */
export type NextEventsValues = [...position: PositionValues, part: number, ...columns: EventColumns, limit: number]

/**
 * SQL condition that an entry `a` is after the position $2 to $4, or with `>=` also at it. Entries that are much older than the position
 * were restored from a dump, with the transactions of another database server.
 */
const isAfter = (operator: '>' | '>=') =>
  `(${inOrder('a')}) ${operator} ($2::xid8, $3::timestamptz, $4::uuid) AND a.at > $3::timestamptz - interval '1 hour'`

/** SQL condition that an entry `a` is settled and may have events after the position. */
export const isNextEntry = `${isAfter('>=')} AND a.transaction_id < ${horizon}`

/** SQL for at most $9 events after the position $2 to $5, of entries `e` with a part. */
export const nextPage = `WHERE (${inOrder('e')}, e.part) > ($2::xid8, $3::timestamptz, $4::uuid, $5::smallint)
  ORDER BY ${inOrder('e')}, e.part LIMIT $9::integer`

/** SQL for the identifier of the subject of an event. */
const subject = `CASE p.source WHEN 'formerOwner' THEN p.actor_user_id::text ELSE p.subject END`

const details = {
  member: `SELECT u.email, CASE WHEN m.all_applications THEN NULL ELSE m.applications END AS "accessibleAppIds"
    FROM users u LEFT JOIN members m ON m.team_id = p.team_id AND m.user_id = u.id WHERE u.id = (${subject})::uuid`,
  invitation: `SELECT id, email, role, CASE WHEN all_applications THEN NULL ELSE applications END AS "accessibleAppIds", accepted_by_id AS "userId"
    FROM invitations`,
  token: `SELECT last_four AS "lastFour", scopes, to_char(expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "expiresAt"
    FROM access_tokens WHERE id = p.subject::uuid`,
  grant: 'SELECT scopes FROM oauth_grants WHERE id = p.subject::uuid',
}
const asJson = (rows: string) => `(SELECT to_json(f) FROM (${rows}) f)`

/** SQL for events in their order. `entries` selects audit entries with the columns `part` and `source` of the table of selected events. */
export const selectEvents = (entries: string) =>
  `SELECT p.id, p.action, p.part, p.at, p.transaction_id::text AS "transactionId", t.slug AS team,
     p.actor_kind AS "actorKind", p.actor_user_id AS "actorUserId", p.actor_name AS "actorName", p.subject_name AS "subjectName",
     ${subject} AS subject, p.before, p.after,
     CASE p.source
     WHEN 'member' THEN ${asJson(details.member)}
     WHEN 'formerOwner' THEN ${asJson(details.member)}
     WHEN 'invitation' THEN ${asJson(`${details.invitation} WHERE id = p.subject::uuid`)}
     WHEN 'acceptedInvitation' THEN ${asJson(
       `${details.invitation} WHERE team_id = p.team_id AND accepted_by_id = p.subject::uuid AND answered_at <= p.at + interval '1 second'
        ORDER BY answered_at DESC LIMIT 1`,
     )}
     WHEN 'token' THEN ${asJson(details.token)}
     WHEN 'grant' THEN ${asJson(details.grant)}
     END AS details
   FROM (${entries}) p JOIN teams t ON t.id = p.team_id
   ORDER BY ${inOrder('p')}, p.part`

/**
 * SQL for the next events of a team, whose entries `a` meet a condition. Each action is read by its own condition of an index, so that a page
 * costs the same wherever it is and however rare the selected events are.
 */
export const selectNextEvents = (team: string, condition = 'true') =>
  selectEvents(
    `SELECT e.* FROM ${buildEventTable(6)} CROSS JOIN LATERAL (
       SELECT a.*, w.part, w.source FROM audit_entries a
       WHERE a.team_id = ${team}::uuid AND a.action = w.action AND ${isNextEntry} AND ${condition}
       ORDER BY ${inOrder('a')} LIMIT $9::integer + 1
     ) e ${nextPage}`,
  )

const findFeedRows = statement<EventRow, [teamId: string, ...NextEventsValues]>('feed_events', selectNextEvents('$1'))

/** Returns at most `limit` events of these parts that follow a position, oldest first. */
export const findFeedEvents = (
  executor: Executor,
  teamId: string,
  { transactionId, at, id, part }: EventPosition,
  parts: readonly EventPart[],
  limit: number,
): Promise<EventRow[]> => findFeedRows(executor, teamId, transactionId, at, id, part, ...toColumns(parts), limit)

/** Formats the key that identifies an event among all events. */
export const formatEventKey = ({ id, part }: Pick<EventPosition, 'id' | 'part'>): string => `${id} ${part}`

const findRowsByKey = statement<EventRow, [ids: readonly string[], parts: readonly number[], ...columns: EventColumns]>(
  'events_by_key',
  selectEvents(
    `SELECT e.*, w.part, w.source FROM unnest($1::uuid[], $2::smallint[]) k (entry_id, part)
     JOIN audit_entries e ON e.id = k.entry_id JOIN ${buildEventTable(3)} ON w.action = e.action AND w.part = k.part`,
  ),
)

/** Returns the events with these keys, without those whose entries were deleted. */
export async function findEventsByKey(executor: Executor, keys: readonly string[]): Promise<Map<string, EventRow>> {
  const ids = keys.map((key) => key.slice(0, 36))
  const parts = keys.map((key) => Number(key.slice(37)))
  const rows = await findRowsByKey(executor, ids, parts, ...toColumns(eventParts))
  return new Map(rows.map((row) => [formatEventKey(row), row]))
}

/** An audit entry as the subscription delivers it, with the position after its events. */
export interface StreamEntry extends EventPosition, Pick<EventRow, 'action' | 'subject'> {
  isSettled: boolean
}

/** Selects the next entries of a team after a position, without those that a snapshot, unless it is null, contains. */
export const findEntries = statement<StreamEntry, [teamId: string, ...position: PositionValues, snapshot: string | null]>(
  'team_events',
  `SELECT a.id, a.at, ${lastPart} AS part, a.action, a.subject, a.transaction_id::text AS "transactionId", a.transaction_id < ${horizon} AS "isSettled"
   FROM audit_entries a
   WHERE a.team_id = $1 AND ${isAfter('>')} AND a.transaction_id < pg_snapshot_xmax(pg_current_snapshot())
     AND ($5::text IS NULL OR NOT pg_visible_in_snapshot(a.transaction_id, $5::pg_snapshot))
   ORDER BY ${inOrder('a')} LIMIT 100`,
)

/** Selects the position before every transaction that is not committed yet, and the current snapshot. */
export const findCurrentPosition = statement<EventPosition & { snapshot: string }, []>(
  'current_event_position',
  `SELECT p."transactionId"::text AS "transactionId", p.at, p.id, p.part, pg_current_snapshot()::text AS snapshot
   FROM (VALUES (${positionAt(horizon)})) p ("transactionId", at, id, part)`,
)

/** Selects the position of an entry of a team; no row if there is none, or if it was restored from a dump of another database server. */
export const findEntryPosition = statement<EventPosition, [teamId: string, id: string]>(
  'event_position_of_entry',
  `SELECT transaction_id::text AS "transactionId", at, id, ${lastPart} AS part FROM audit_entries
   WHERE team_id = $1 AND id = $2 AND transaction_id < pg_snapshot_xmax(pg_current_snapshot())`,
)

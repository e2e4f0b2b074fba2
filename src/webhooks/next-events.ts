import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { eventParts } from '../../schema/events/catalogue.ts'
import { eventOf } from '../../schema/events/event.ts'
import type { TeamEventNode } from '../../schema/events/event.ts'
import { columnsOf, eventsOf, findEventsByKey } from '../../schema/events/find-events.ts'
import type { EventPosition, EventRow } from '../../schema/events/find-events.ts'
import type { ClaimedWebhook } from './claim.ts'

/** An event that is to be delivered, with its place in the order of all events. */
export interface DueEvent {
  event: TeamEventNode
  position: EventPosition
  /** Attempts so far. */
  attempts: number
  /** When the first one was; null before it. */
  firstAt: Date | null
}

type Columns = ReturnType<typeof columnsOf>
type Values = [webhookId: string, teamId: string | null, ...position: [string, string, string, number], ...Columns, limit: number]

const isNew = `NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = $1::uuid AND d.entry_id = a.id AND d.part = w.part)`
const isAfter = `(a.transaction_id, a.at, a.id) >= ($3::xid8, $4::timestamptz, $5::uuid) AND a.at > $4::timestamptz - interval '1 hour' AND a.at >= (SELECT events_since FROM webhooks WHERE id = $1::uuid)
  AND a.transaction_id < pg_snapshot_xmin(pg_current_snapshot())`
const wanted = 'unnest($7::text[], $8::smallint[], $9::text[]) AS w (action, part, source)'
const isNext = '(e.transaction_id, e.at, e.id, e.part) > ($3::xid8, $4::timestamptz, $5::uuid, $6::smallint)'
const inOrder = (alias: string) => `${alias}.transaction_id, ${alias}.at, ${alias}.id`

// As in the feed (schema/events/find-events.ts), without what was attempted: the position of a process that was killed is behind that.
const findOfTeam = statement<EventRow, Values>(
  'webhook_events',
  eventsOf(
    `SELECT e.* FROM ${wanted} CROSS JOIN LATERAL (
       SELECT a.*, w.part, w.source FROM audit_entries a
       WHERE a.team_id = $2::uuid AND a.action = w.action AND ${isAfter} AND ${isNew}
       ORDER BY ${inOrder('a')} LIMIT $10::integer + 1
     ) e WHERE ${isNext} ORDER BY ${inOrder('e')}, e.part LIMIT $10::integer`,
  ),
)

/** Entries that are read at once for a webhook of all teams. No index has the entries of all teams by action. */
const maxEntries = 2000

// The entries are read in their order, up to a number, and those that are wanted are selected from them.
const findOfAllTeams = statement<EventRow, Values>(
  'webhook_events_of_all_teams',
  eventsOf(
    `SELECT e.* FROM (
       SELECT a.*, w.part, w.source
       FROM (SELECT * FROM audit_entries a WHERE ${isAfter} ORDER BY ${inOrder('a')} LIMIT ${maxEntries}) a JOIN ${wanted} ON w.action = a.action
       WHERE $2::uuid IS NULL AND a.team_id IS NOT NULL AND ${isNew}
     ) e WHERE ${isNext} ORDER BY ${inOrder('e')}, e.part LIMIT $10::integer`,
  ),
)

/** The position of the last entry that `webhook_events_of_all_teams` reads; no row if it reads all. */
const findEndOfRead = statement<EventPosition, [webhookId: string, unused: null, ...position: [string, string, string]]>(
  'end_of_webhook_events',
  `SELECT a.transaction_id::text AS "transactionId", a.at, a.id, 32767 AS part FROM audit_entries a
   WHERE $2::uuid IS NULL AND ${isAfter} ORDER BY ${inOrder('a')} OFFSET ${maxEntries - 1} LIMIT 1`,
)

const positionOf = ({ transactionId, at, id, part }: EventRow): EventPosition => ({ transactionId, at, id, part })

interface NextEvents {
  events: DueEvent[]
  /** Where to continue. */
  until: EventPosition
  /** Whether more may follow. */
  hasMore: boolean
}

/** Reads the next events of a webhook after a position, oldest first. */
export async function findNextEvents(
  pool: StatementPool,
  { id, teamId, types }: ClaimedWebhook,
  position: EventPosition,
  limit: number,
): Promise<NextEvents> {
  const columns = columnsOf(eventParts.filter(({ type }) => types.length === 0 || types.includes(type)))
  const { transactionId, at, id: entryId, part } = position
  const find = teamId === null ? findOfAllTeams : findOfTeam
  // First: what becomes settled until the events are read comes after it.
  const [end] = teamId === null ? await findEndOfRead(pool, id, null, transactionId, at, entryId) : []
  const rows = await find(pool, id, teamId, transactionId, at, entryId, part, ...columns, limit)
  const events = rows.map((row) => ({ event: eventOf(row), position: positionOf(row), attempts: 0, firstAt: null }))
  const isFull = events.length === limit
  const last = events.at(-1)?.position ?? position
  return { events, until: isFull ? last : (end ?? last), hasMore: isFull || end !== undefined }
}

const findDue = statement<
  { entryId: string; part: number; attempts: number; firstAt: string },
  [webhookId: string, now: Date, without: readonly string[], limit: number]
>(
  'due_webhook_retries',
  `SELECT entry_id AS "entryId", part, attempts, first_at AS "firstAt" FROM webhook_retries
   WHERE webhook_id = $1 AND due_at <= $2::timestamptz AND NOT entry_id || ' ' || part = ANY ($3::text[]) ORDER BY due_at LIMIT $4`,
)
const forget = statement<object, [webhookId: string, entryIds: readonly string[]]>(
  'forget_webhook_retries',
  'DELETE FROM webhook_retries WHERE webhook_id = $1 AND entry_id = ANY ($2::uuid[])',
)

export const keyOf = ({ id, part }: Pick<EventPosition, 'id' | 'part'>): string => `${id} ${part}`

/** Reads the events of a webhook whose retry is due, without those in progress. Forgets those that the audit log no longer contains. */
export async function findDueRetries(
  pool: StatementPool,
  { id }: ClaimedWebhook,
  now: Date,
  inProgress: Iterable<string>,
  limit: number,
): Promise<DueEvent[]> {
  const due = await findDue(pool, id, now, [...inProgress], limit)
  if (due.length === 0) return []
  const rows = new Map((await findEventsByKey(pool, due)).map((row) => [keyOf(row), row]))
  const gone = due.filter(({ entryId, part }) => !rows.has(keyOf({ id: entryId, part })))
  if (gone.length > 0)
    await forget(
      pool,
      id,
      gone.map(({ entryId }) => entryId),
    )
  return due.flatMap(({ entryId, part, attempts, firstAt }) => {
    const row = rows.get(keyOf({ id: entryId, part }))
    return row ? [{ event: eventOf(row), position: positionOf(row), attempts, firstAt: new Date(firstAt) }] : []
  })
}

import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { eventParts } from '../../schema/events/catalogue.ts'
import { buildEvent } from '../../schema/events/event.ts'
import type { TeamEventNode } from '../../schema/events/event.ts'
import {
  findEventsByKey,
  inOrder,
  isNextEntry,
  lastPart,
  nextPage,
  selectEvents,
  selectNextEvents,
  toColumns,
  wantedEvents,
} from '../../schema/events/stream.ts'
import type { EventPosition, EventRow, NextEventsValues } from '../../schema/events/stream.ts'
import { isWantedType } from '../../schema/webhooks/rules.ts'
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

type Values = [webhookId: string, ...NextEventsValues, teamId: string | null]

const isSinceStart = 'a.at >= (SELECT events_since FROM webhooks WHERE id = $1::uuid)'
/** The position of a process that was killed is before events that were attempted. */
const isNew = 'NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = $1::uuid AND d.entry_id = a.id AND d.part = w.part)'

const findOfTeam = statement<EventRow, Values>('webhook_events', selectNextEvents('$10', `${isSinceStart} AND ${isNew}`))

/** Entries that are read at once for a webhook of all teams. No index has the entries of all teams by action. */
const maxEntries = 2000
const entriesOfAllTeams = `FROM audit_entries a WHERE ${isNextEntry} AND ${isSinceStart} ORDER BY ${inOrder('a')}`

// The entries are read in their order, up to a number, and those that are wanted are selected from them.
const findOfAllTeams = statement<EventRow, Values>(
  'webhook_events_of_all_teams',
  selectEvents(
    `SELECT e.* FROM (
       SELECT a.*, w.part, w.source
       FROM (SELECT * ${entriesOfAllTeams} LIMIT ${maxEntries}) a JOIN ${wantedEvents(6)} ON w.action = a.action
       WHERE $10::uuid IS NULL AND a.team_id IS NOT NULL AND ${isNew}
     ) e ${nextPage}`,
  ),
)

/** The position after the last entry that `webhook_events_of_all_teams` reads; no row if it reads all. */
const findEndOfRead = statement<EventPosition, [webhookId: string, ...position: [transactionId: string, at: string, id: string]]>(
  'end_of_webhook_events',
  `SELECT a.transaction_id::text AS "transactionId", a.at, a.id, ${lastPart} AS part ${entriesOfAllTeams} OFFSET ${maxEntries - 1} LIMIT 1`,
)

const toDueEvent = (row: EventRow, attempts: number, firstAt: Date | null): DueEvent => ({
  event: buildEvent(row),
  position: { transactionId: row.transactionId, at: row.at, id: row.id, part: row.part },
  attempts,
  firstAt,
})

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
  const columns = toColumns(eventParts.filter(({ type }) => isWantedType(types, type)))
  const { transactionId, at, id: entryId, part } = position
  const find = teamId === null ? findOfAllTeams : findOfTeam
  // First: what becomes settled until the events are read comes after it.
  const [end] = teamId === null ? await findEndOfRead(pool, id, transactionId, at, entryId) : []
  const rows = await find(pool, id, transactionId, at, entryId, part, ...columns, limit, teamId)
  const events = rows.map((row) => toDueEvent(row, 0, null))
  const isFull = events.length === limit
  const last = events.at(-1)?.position ?? position
  return { events, until: isFull ? last : (end ?? last), hasMore: isFull || end !== undefined }
}

const findDue = statement<
  { key: string; entryId: string; attempts: number; firstAt: string },
  [webhookId: string, now: Date, without: readonly string[], limit: number]
>(
  'due_webhook_retries',
  `SELECT entry_id || ' ' || part AS key, entry_id AS "entryId", attempts, first_at AS "firstAt" FROM webhook_retries
   WHERE webhook_id = $1 AND due_at <= $2::timestamptz AND NOT entry_id || ' ' || part = ANY ($3::text[]) ORDER BY due_at LIMIT $4`,
)
const forget = statement<object, [webhookId: string, entryIds: readonly string[]]>(
  'forget_webhook_retries',
  'DELETE FROM webhook_retries WHERE webhook_id = $1 AND entry_id = ANY ($2::uuid[])',
)

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
  const rows = await findEventsByKey(
    pool,
    due.map(({ key }) => key),
  )
  const goneIds = due.flatMap(({ key, entryId }) => (rows.has(key) ? [] : entryId))
  if (goneIds.length > 0) await forget(pool, id, goneIds)
  return due.flatMap(({ key, attempts, firstAt }) => {
    const row = rows.get(key)
    return row ? toDueEvent(row, attempts, new Date(firstAt)) : []
  })
}

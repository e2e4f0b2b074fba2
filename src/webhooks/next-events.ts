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
  buildEventTable,
} from '../../schema/events/stream.ts'
import type { EventPosition, EventRow, NextEventsValues } from '../../schema/events/stream.ts'
import { isWantedType } from '../../schema/webhooks/rules.ts'
import type { ClaimedWebhook } from './claim.ts'

/** An event to deliver, with its place in the order of all events. */
export interface DueEvent {
  event: TeamEventNode
  position: EventPosition
  /** Number of attempts so far. */
  attempts: number
  /** Time of the first attempt; null before it. */
  firstAt: Date | null
}

type Values = [webhookId: string, ...NextEventsValues, teamId: string | null]

const isSinceStart = 'a.at >= (SELECT events_since FROM webhooks WHERE id = $1::uuid)'
/** Excludes events that were attempted already: a killed process leaves a position before them. */
const isNew = 'NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = $1::uuid AND d.entry_id = a.id AND d.part = w.part)'

const findOfTeam = statement<EventRow, Values>('webhook_events', selectNextEvents('$10', `${isSinceStart} AND ${isNew}`))

/** Number of entries that are read at once for a webhook of all teams, since no index has the entries of all teams by action. */
const maxEntries = 2000
const entriesOfAllTeams = `FROM audit_entries a WHERE ${isNextEntry} AND ${isSinceStart} ORDER BY ${inOrder('a')}`

// Reads a limited number of entries in their order and selects the wanted ones.
const findOfAllTeams = statement<EventRow, Values>(
  'webhook_events_of_all_teams',
  selectEvents(
    `SELECT e.* FROM (
       SELECT a.*, w.part, w.source
       FROM (SELECT * ${entriesOfAllTeams} LIMIT ${maxEntries}) a JOIN ${buildEventTable(6)} ON w.action = a.action
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
  /** Position at which to continue. */
  until: EventPosition
  /** True if more events may follow. */
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
  // The position is read first, because entries that become settled during the query come after it.
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

/** Reads the events of a webhook whose retry is due, without those in progress. Deletes retries that have no audit entry any more. */
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

import { statement } from '../../prisma/statement/statement.ts'
import type { Executor } from '../../prisma/statement/statement.ts'
import { eventParts } from './catalogue.ts'
import type { EventPart } from './catalogue.ts'
import type { EventValues } from './event-data.ts'

/** The place of an event in the order of all events of its team. */
export interface EventPosition {
  transactionId: string
  at: string
  /** Of the audit entry. */
  id: string
  /** One entry can be several events. */
  part: number
}

/** The position before all events. PostgreSQL's transactions begin with 3. */
export const beginning: EventPosition = { transactionId: '0', at: '-infinity', id: '00000000-0000-0000-0000-000000000000', part: 0 }

/** An event with what its data is made from. */
export interface EventRow extends EventPosition, EventValues {
  action: string
  /** The slug. */
  team: string
  actorKind: string
  actorUserId: string | null
  actorName: string
}

type Values = [
  teamId: string,
  ...position: [transactionId: string, at: string, id: string, part: number],
  actions: readonly string[],
  parts: readonly number[],
  sources: readonly string[],
  limit: number,
]

/** Whom or what an event is about. */
const subject = `CASE p.source WHEN 'formerOwner' THEN p.actor_user_id::text ELSE p.subject END`

const found = {
  member: `SELECT u.email, CASE WHEN m.all_applications THEN NULL ELSE m.applications END AS "accessibleAppIds"
    FROM users u LEFT JOIN members m ON m.team_id = p.team_id AND m.user_id = u.id WHERE u.id = (${subject})::uuid`,
  invitation: `SELECT id, email, role, CASE WHEN all_applications THEN NULL ELSE applications END AS "accessibleAppIds", accepted_by_id AS "userId"
    FROM invitations`,
  token: `SELECT last_four AS "lastFour", scopes, to_char(expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "expiresAt"
    FROM access_tokens WHERE id = p.subject::uuid`,
  grant: 'SELECT scopes FROM oauth_grants WHERE id = p.subject::uuid',
}
const asJson = (rows: string) => `(SELECT to_json(f) FROM (${rows}) f)`

/**
 * SQL that selects events in their order. `entries` selects audit entries with the columns `part` and `source` of the catalogue
 * (schema/events/catalogue.ts).
 */
export function eventsOf(entries: string): string {
  return `SELECT p.id, p.action, p.part, p.at, p.transaction_id::text AS "transactionId", t.slug AS team,
     p.actor_kind AS "actorKind", p.actor_user_id AS "actorUserId", p.actor_name AS "actorName", p.subject_name AS "subjectName",
     ${subject} AS subject, p.before, p.after,
     CASE p.source
     WHEN 'member' THEN ${asJson(found.member)}
     WHEN 'formerOwner' THEN ${asJson(found.member)}
     WHEN 'invitation' THEN ${asJson(`${found.invitation} WHERE id = p.subject::uuid`)}
     WHEN 'acceptedInvitation' THEN ${asJson(
       `${found.invitation} WHERE team_id = p.team_id AND accepted_by_id = p.subject::uuid AND answered_at <= p.at + interval '1 second'
        ORDER BY answered_at DESC LIMIT 1`,
     )}
     WHEN 'token' THEN ${asJson(found.token)}
     WHEN 'grant' THEN ${asJson(found.grant)}
     END AS found
   FROM (${entries}) p JOIN teams t ON t.id = p.team_id
   ORDER BY p.transaction_id, p.at, p.id, p.part`
}

/**
 * Reads the next events of a team after a position, in the order of the transactions (entries-after.ts says why). The lists are
 * columns of one table: the wanted events of each audited action. Each action is read by its own condition of an index, so that a page
 * costs the same wherever it is and however rare the wanted events are.
 *
 * Only settled events are returned: no transaction that still runs can commit one that comes before them.
 */
const findRows = statement<EventRow, Values>(
  'feed_events',
  eventsOf(
    `SELECT e.*, w.part, w.source
     FROM unnest($6::text[], $7::smallint[], $8::text[]) AS w (action, part, source)
     CROSS JOIN LATERAL (
       SELECT * FROM audit_entries
       WHERE team_id = $1 AND action = w.action AND (transaction_id, at, id) >= ($2::xid8, $3::timestamptz, $4::uuid)
         AND at > $3::timestamptz - interval '1 hour' AND transaction_id < pg_snapshot_xmin(pg_current_snapshot())
       ORDER BY transaction_id, at, id LIMIT $9::integer + 1
     ) e
     WHERE (e.transaction_id, e.at, e.id, w.part) > ($2::xid8, $3::timestamptz, $4::uuid, $5::smallint)
     ORDER BY e.transaction_id, e.at, e.id, w.part LIMIT $9::integer`,
  ),
)

/** Returns at most `limit` events of these parts that follow a position, oldest first. */
export const findFeedEvents = (
  executor: Executor,
  teamId: string,
  { transactionId, at, id, part }: EventPosition,
  parts: readonly EventPart[],
  limit: number,
): Promise<EventRow[]> => findRows(executor, teamId, transactionId, at, id, part, ...columnsOf(parts), limit)

/** Audit entries with the number of one of their events. */
export interface EventKey {
  entryId: string
  part: number
}

const findRowsByKey = statement<EventRow, [ids: readonly string[], parts: readonly number[], ...ReturnType<typeof columnsOf>]>(
  'events_by_key',
  eventsOf(
    `SELECT e.*, w.part, w.source FROM unnest($1::uuid[], $2::smallint[]) k (entry_id, part)
     JOIN audit_entries e ON e.id = k.entry_id
     JOIN unnest($3::text[], $4::smallint[], $5::text[]) AS w (action, part, source) ON w.action = e.action AND w.part = k.part`,
  ),
)

/** The events with these keys, in any order; without those whose entries were deleted. */
export const findEventsByKey = (executor: Executor, keys: readonly EventKey[]): Promise<EventRow[]> =>
  findRowsByKey(
    executor,
    keys.map(({ entryId }) => entryId),
    keys.map(({ part }) => part),
    ...columnsOf(eventParts),
  )

/** The wanted events of actions as columns of a table. */
export const columnsOf = (parts: readonly EventPart[]) =>
  [
    parts.map(({ action }) => action),
    parts.map(({ part }) => part),
    parts.map(({ source }) => source),
  ] as const satisfies readonly (readonly unknown[])[]

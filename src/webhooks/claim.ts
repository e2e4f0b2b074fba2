import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { horizon, inOrder, positionAt } from '../../schema/events/stream.ts'
import type { EventPosition } from '../../schema/events/stream.ts'
import { positionColumns } from '../../schema/webhooks/write-webhook.ts'

/** A webhook as its worker needs it. Binary values are hexadecimal. */
export interface ClaimedWebhook {
  id: string
  teamId: string | null
  url: string
  types: readonly string[]
  secret: string
  previousSecret: string | null
  previousSecretExpiresAt: string | null
  isDisabled: boolean
  isFailing: boolean
  position: EventPosition
}

/**
 * For how long others leave a webhook alone that a process works on. The process renews it three times as often. If it was killed, another one
 * takes over after at most three seconds, with the time between two looks for work.
 */
const leaseInterval = `interval '2.5 seconds'`
export const renewMilliseconds = 800

export const claimedColumns = `w.id, w.team_id AS "teamId", w.url, to_json(w.types) AS types, encode(w.secret, 'hex') AS secret,
  encode(w.previous_secret, 'hex') AS "previousSecret", w.previous_secret_expires_at AS "previousSecretExpiresAt",
  w.disabled_at IS NOT NULL AS "isDisabled", w.failing_since IS NOT NULL AS "isFailing",
  json_build_object('transactionId', w.position_transaction_id::text, 'at', w.position_at, 'id', w.position_id, 'part', w.position_part)
    AS position`

export const renewed = `now() + ${leaseInterval}`

interface Work {
  /** Entries of all transactions before this one are settled: no event can come before them any more. */
  horizon: string
  claimed: readonly ClaimedWebhook[]
  /** Webhooks that this process works on already, with something new to deliver. */
  woken: readonly string[]
  /** Webhooks that were locked, for example by a request that changes them. They are to be claimed with the next call. */
  locked: readonly string[]
  /** Whether more entries became settled than were read. All webhooks must be looked at then. */
  isTooMuch: boolean
}

/** Settled entries, and retries that are due, that are read at once. */
const maxRead = { entries: 10_000, retries: 1000 }

/**
 * Claims the webhooks that have something to deliver and that no process works on: their team has entries that became settled since the last
 * call, a retry became due, their process was killed, or they are among `also`. ARRAY makes PostgreSQL look each of them up by an index; a
 * join reads the whole table if it expects many.
 *
 * What is missed because the process did not run, or because there was too much at once, is found by the check of all webhooks
 * (check-webhooks.ts).
 */
const claimWork = statement<Work, [worker: string, since: string | null, now: Date, also: readonly string[]]>(
  'claim_webhooks',
  `WITH horizon AS MATERIALIZED (SELECT ${horizon} AS until),
   settled AS MATERIALIZED (
     SELECT team_id FROM audit_entries e WHERE transaction_id >= $2::xid8 AND transaction_id < (SELECT until FROM horizon)
     ORDER BY ${inOrder('e')} LIMIT ${maxRead.entries + 1}
   ),
   due AS MATERIALIZED (
     SELECT id FROM webhooks WHERE team_id = ANY (ARRAY(SELECT DISTINCT team_id FROM settled WHERE team_id IS NOT NULL))
     UNION SELECT id FROM webhooks WHERE team_id IS NULL AND EXISTS (SELECT FROM settled WHERE team_id IS NOT NULL)
     UNION SELECT webhook_id FROM (
       SELECT webhook_id FROM webhook_retries WHERE due_at <= $3::timestamptz AND due_at > $3::timestamptz - interval '10 seconds'
       ORDER BY due_at LIMIT ${maxRead.retries}) r
     UNION SELECT id FROM webhooks WHERE worked_until < now()
     UNION SELECT unnest($4::uuid[])
   ),
   wanting AS MATERIALIZED (
     SELECT id, worker, coalesce(worked_until < now(), true) AS "isFree" FROM webhooks
     WHERE id = ANY (ARRAY(SELECT id FROM due)) AND disabled_at IS NULL
   ),
   free AS (
     SELECT id FROM webhooks WHERE id = ANY (ARRAY(SELECT id FROM wanting WHERE "isFree")) AND disabled_at IS NULL
       AND coalesce(worked_until < now(), true) FOR UPDATE SKIP LOCKED
   ),
   claimed AS (
     UPDATE webhooks w SET worker = $1::uuid, worked_until = ${renewed} WHERE w.id = ANY (ARRAY(SELECT id FROM free))
     RETURNING ${claimedColumns}
   )
   SELECT until::text AS horizon, (SELECT coalesce(json_agg(c), '[]') FROM claimed c) AS claimed,
     to_json(ARRAY(SELECT id FROM wanting WHERE NOT "isFree" AND worker = $1::uuid)) AS woken,
     to_json(ARRAY(SELECT id FROM wanting WHERE "isFree" AND id NOT IN (SELECT id FROM claimed))) AS locked,
     (SELECT count(*) > ${maxRead.entries} FROM settled) AS "isTooMuch"
   FROM horizon`,
)

export async function claim(
  pool: StatementPool,
  ...values: Parameters<typeof claimWork> extends [unknown, ...infer Rest] ? Rest : never
): Promise<Work> {
  const [work] = await claimWork(pool, ...values)
  if (!work) throw new Error('the claim of webhooks returned nothing')
  return work
}

/** Keeps the webhooks that a process works on from others. */
export const renewLeases = statement<object, [worker: string, ids: readonly string[]]>(
  'renew_webhooks',
  `UPDATE webhooks SET worked_until = ${renewed} WHERE worker = $1::uuid AND id = ANY ($2::uuid[])`,
)

/**
 * Leaves a webhook. If all entries of transactions before a horizon were delivered, its position moves there, so that the next claim need not
 * read them again.
 */
export const release = statement<object, [worker: string, id: string, horizon: string | null]>(
  'release_webhook',
  `UPDATE webhooks w SET worker = NULL, worked_until = NULL, (${positionColumns}) = (
     SELECT p.* FROM (VALUES (w.position_transaction_id, w.position_at, w.position_id, w.position_part::int),
       (${positionAt('$3')})) p ORDER BY 1 DESC NULLS LAST LIMIT 1)
   WHERE id = $2::uuid AND worker = $1::uuid`,
)

/** Leaves all webhooks of a process that ends or has ended, for others to continue at once. */
export const abandonText = `UPDATE webhooks SET worker = NULL, worked_until = now() - interval '1 second' WHERE worker = $1::uuid`
export const abandon = statement<object, [worker: string]>('abandon_webhooks', abandonText)

import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { horizon, inOrder, positionAt } from '../../schema/events/stream.ts'
import type { EventPosition } from '../../schema/events/stream.ts'
import { positionColumns } from '../../schema/webhooks/write-webhook.ts'

/** A claimed webhook, with the values that its worker needs. Binary values are hexadecimal. */
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
 * Duration of a lease, during which other processes do not claim the webhook. The process renews it three times as often. If the process
 * was killed, another one takes over after at most three seconds, including the poll interval.
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
  /** Transaction number. Entries of all transactions before it are settled: no event can precede them any more. */
  horizon: string
  claimed: readonly ClaimedWebhook[]
  /** Webhooks of this process that have something new to deliver. */
  woken: readonly string[]
  /** Webhooks that were locked, for example by a request that changes them. The next call claims them. */
  locked: readonly string[]
  /** True if more entries became settled than were read. All webhooks must be checked then. */
  isTooMuch: boolean
}

/** Maximum numbers of settled entries and of due retries that are read at once. */
const maxRead = { entries: 10_000, retries: 1000 }

/**
 * Claims the webhooks that have something to deliver and that no process works on. They are those of `also`, and those whose team has
 * entries settled since the last call, whose retry became due, or whose process was killed. With ARRAY, PostgreSQL looks each up by an
 * index; a join reads the whole table if it expects many.
 *
 * The check of all webhooks (check-webhooks.ts) finds events that this misses because the process did not run or because there were too
 * many at once.
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

/** Renews the leases of the webhooks that a process works on. */
export const renewLeases = statement<object, [worker: string, ids: readonly string[]]>(
  'renew_webhooks',
  `UPDATE webhooks SET worked_until = ${renewed} WHERE worker = $1::uuid AND id = ANY ($2::uuid[])`,
)

/**
 * Releases a webhook. If all entries of transactions before a horizon were delivered, its position moves there, so that the next claim need
 * not read them again.
 */
export const release = statement<object, [worker: string, id: string, horizon: string | null]>(
  'release_webhook',
  `UPDATE webhooks w SET worker = NULL, worked_until = NULL, (${positionColumns}) = (
     SELECT p.* FROM (VALUES (w.position_transaction_id, w.position_at, w.position_id, w.position_part::int),
       (${positionAt('$3')})) p ORDER BY 1 DESC NULLS LAST LIMIT 1)
   WHERE id = $2::uuid AND worker = $1::uuid`,
)

/** Releases all webhooks of a process that ends or has ended, so that others continue at once. */
export const abandonText = `UPDATE webhooks SET worker = NULL, worked_until = now() - interval '1 second' WHERE worker = $1::uuid`
export const abandon = statement<object, [worker: string]>('abandon_webhooks', abandonText)

import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import type { EventPosition } from '../../schema/events/find-events.ts'

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
  /** Whether there is any webhook to work on, now or later. */
  any: boolean
}

/**
 * Finds the webhooks that have something to deliver, and claims those that no process works on: their team has entries that became settled
 * since the last call, a retry is due, or their process was killed. The first call of a process looks at the position of every webhook.
 */
const claimWork = statement<Work, [worker: string, since: string | null, now: Date, also: readonly string[]]>(
  'claim_webhooks',
  `WITH horizon AS MATERIALIZED (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS until),
   changed AS MATERIALIZED (
     SELECT DISTINCT team_id FROM audit_entries
     WHERE transaction_id >= $2::xid8 AND transaction_id < (SELECT until FROM horizon) AND team_id IS NOT NULL
   ),
   due AS MATERIALIZED (
     SELECT id FROM webhooks WHERE team_id IN (SELECT team_id FROM changed)
     UNION SELECT id FROM webhooks WHERE team_id IS NULL AND EXISTS (SELECT FROM changed)
     UNION SELECT webhook_id FROM webhook_retries WHERE due_at <= $3::timestamptz
     UNION SELECT id FROM webhooks WHERE worked_until < now() OR id = ANY ($4::uuid[])
     UNION SELECT id FROM webhooks w WHERE $2 IS NULL AND disabled_at IS NULL AND EXISTS (
       SELECT FROM audit_entries e WHERE (w.team_id IS NULL OR e.team_id = w.team_id) AND e.transaction_id >= w.position_transaction_id)
   ),
   free AS (
     SELECT id FROM webhooks WHERE id IN (SELECT id FROM due) AND disabled_at IS NULL AND coalesce(worked_until < now(), true)
     FOR UPDATE SKIP LOCKED
   ),
   claimed AS (
     UPDATE webhooks w SET worker = $1::uuid, worked_until = ${renewed} FROM free WHERE w.id = free.id RETURNING ${claimedColumns}
   )
   SELECT until::text AS horizon, (SELECT coalesce(json_agg(c), '[]') FROM claimed c) AS claimed,
     to_json(ARRAY(SELECT id FROM webhooks WHERE worker = $1::uuid AND worked_until >= now() AND id IN (SELECT id FROM due))) AS woken,
     EXISTS (SELECT FROM webhooks WHERE disabled_at IS NULL) AS any
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
  `UPDATE webhooks w SET worker = NULL, worked_until = NULL, (position_transaction_id, position_at, position_id, position_part) = (
     SELECT p.* FROM (VALUES (w.position_transaction_id, w.position_at, w.position_id, w.position_part::int),
       (($3::bigint - 1)::text::xid8, now(), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, 0)) p ORDER BY 1 DESC NULLS LAST LIMIT 1)
   WHERE id = $2::uuid AND worker = $1::uuid`,
)

/** Leaves all webhooks of a process that ends or has ended, for others to continue at once. */
export const abandonText = `UPDATE webhooks SET worker = NULL, worked_until = now() - interval '1 second' WHERE worker = $1::uuid`
export const abandon = statement<object, [worker: string]>('abandon_webhooks', abandonText)

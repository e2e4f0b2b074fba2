import { setTimeout as pause } from 'node:timers/promises'
import { isOutage, isUnavailable } from '../../prisma/connection/availability.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { EventPosition } from '../../schema/events/stream.ts'
import type { Attempt } from '../../schema/webhooks/send-event.ts'
import { claimedColumns, renewLeases, renewMilliseconds, renewed } from './claim.ts'
import type { ClaimedWebhook } from './claim.ts'
import type { DueEvent } from './next-events.ts'

/** Maximum number of results that one statement writes. */
const batchSize = 200
/** Maximum number of leases that one statement renews. */
const renewSize = 1000

interface RecorderParts {
  pool: StatementPool
  worker: string
  /** Returns the webhooks that the process works on. */
  workedOn(): readonly string[]
  report(error: unknown): void
}

interface Result {
  webhookId: string
  due: DueEvent
  attempt: Attempt
  /** Returns the position of the webhook after the result, or null if it does not move. Called when the result is written. */
  position(): EventPosition | null
  done(webhook: ClaimedWebhook | null): void
}

const write = statement<ClaimedWebhook, [worker: string, results: string, positions: string]>(
  'record_webhook_deliveries',
  `WITH given AS (
     SELECT * FROM json_to_recordset($2::json) AS r ("webhookId" uuid, type text, "entryId" uuid, part smallint, attempt smallint,
       at timestamptz, result "WebhookDeliveryResult", status smallint, "latencyMilliseconds" int, "responseBody" text, error text,
       "firstAt" timestamptz, "nextAt" timestamptz)
   ),
   health AS (
     SELECT "webhookId" AS id, bool_or(result = 'delivered') AS delivered, min(at) AS at,
       count(*) FILTER (WHERE result = 'failed' AND attempt = 1) AS events
     FROM given GROUP BY 1
   ),
   positions AS (
     SELECT * FROM json_to_recordset($3::json) AS p ("webhookId" uuid, "transactionId" text, at timestamptz, id uuid, part smallint)
   ),
   held AS (
     UPDATE webhooks w SET worked_until = ${renewed},
       failing_since = CASE WHEN NOT h.delivered THEN coalesce(w.failing_since, h.at) END,
       failed_events = CASE WHEN h.delivered THEN 0 ELSE w.failed_events + h.events END,
       warned_at = CASE WHEN NOT h.delivered THEN w.warned_at END,
       position_transaction_id = coalesce(p."transactionId"::xid8, w.position_transaction_id),
       position_at = coalesce(p.at, w.position_at), position_id = coalesce(p.id, w.position_id),
       position_part = coalesce(p.part, w.position_part)
     FROM health h LEFT JOIN positions p ON p."webhookId" = h.id
     -- ARRAY makes PostgreSQL look each webhook up by the index.
     WHERE w.id = ANY (ARRAY(SELECT id FROM health)) AND w.id = h.id AND w.worker = $1::uuid
     RETURNING ${claimedColumns}
   ),
   recorded AS (
     INSERT INTO webhook_deliveries (webhook_id, type, entry_id, part, attempt, at, result, status, latency_milliseconds, response_body, error)
     SELECT g."webhookId", g.type, g."entryId", g.part, g.attempt, g.at, g.result, g.status, g."latencyMilliseconds", g."responseBody", g.error
     FROM given g JOIN held ON held.id = g."webhookId"
   ),
   ended AS (
     DELETE FROM webhook_retries r USING given g JOIN held ON held.id = g."webhookId"
     WHERE r.webhook_id = g."webhookId" AND r.entry_id = g."entryId" AND r.part = g.part AND g."nextAt" IS NULL
   ),
   scheduled AS (
     INSERT INTO webhook_retries (webhook_id, entry_id, part, attempts, first_at, due_at)
     SELECT g."webhookId", g."entryId", g.part, g.attempt, g."firstAt", g."nextAt"
     FROM given g JOIN held ON held.id = g."webhookId" WHERE g."nextAt" IS NOT NULL
     ON CONFLICT (webhook_id, entry_id, part) DO UPDATE SET attempts = excluded.attempts, due_at = excluded.due_at
   )
   SELECT * FROM held`,
)

/**
 * Writes the results of attempts. Results that arrive while a statement runs are written by the next one. A position moves in the statement
 * that records the attempts before it. While the database is unavailable, results wait. `record` resolves to the webhook as it is now, or
 * to null if another process works on it.
 */
export function createRecorder({ pool, worker, workedOn, report }: RecorderParts) {
  let waiting: Result[] = []
  let running: Promise<void> | null = null
  let renewedAt = -Infinity
  const closing = new AbortController()
  const isRenewalDue = () => !closing.signal.aborted && performance.now() - renewedAt >= renewMilliseconds

  async function writeBatch(batch: readonly Result[]): Promise<void> {
    const positions = new Map<string, EventPosition>()
    for (const { webhookId, position } of batch) {
      const next = position()
      if (next) positions.set(webhookId, next)
    }
    const rows = JSON.stringify(batch.map(toRow))
    const moved = JSON.stringify(Array.from(positions, ([webhookId, position]) => ({ webhookId, ...position })))
    const written = new Map((await write(pool, worker, rows, moved)).map((webhook) => [webhook.id, webhook]))
    for (const { webhookId, done } of batch) done(written.get(webhookId) ?? null)
  }

  async function writeNext(): Promise<void> {
    if (isRenewalDue()) {
      renewedAt = performance.now()
      const ids = workedOn()
      for (let start = 0; start < ids.length; start += renewSize) await renewLeases(pool, worker, ids.slice(start, start + renewSize))
    }
    const batch = waiting.slice(0, batchSize)
    if (batch.length === 0) return
    try {
      await writeBatch(batch)
    } catch (error) {
      if (isUnavailable(error) && !closing.signal.aborted) throw error
      report(error)
      for (const { done } of batch) done(null)
    }
    waiting = waiting.slice(batch.length)
  }

  async function run(): Promise<void> {
    while (waiting.length > 0 || isRenewalDue())
      try {
        await writeNext()
      } catch (error) {
        if (!isOutage(error)) report(error)
        await pause(1000)
      }
    running = null
  }

  return {
    record(webhookId: string, due: DueEvent, attempt: Attempt, position: Result['position']): Promise<ClaimedWebhook | null> {
      // The response arrived after the process ended. Another process delivers the event again.
      if (closing.signal.aborted) return Promise.resolve(null)
      return new Promise((done) => {
        waiting.push({ webhookId, due, attempt, position, done })
        running ??= run()
      })
    },
    /** Renews the leases of the webhooks. It never runs at the same time as `record`, because both lock several webhooks. */
    renew(): void {
      if (isRenewalDue()) running ??= run()
    },
    async close(): Promise<void> {
      closing.abort()
      await running
    },
  }
}

function toRow({ webhookId, due, attempt: { at, retryAfterSeconds, ...attempt } }: Result) {
  const attempts = due.attempts + 1
  const firstAt = due.firstAt ?? at
  const nextAt = attempt.result === 'delivered' ? null : nextAttempt({ attempts, firstAt, at, retryAfterSeconds })
  return {
    webhookId,
    type: due.event.type,
    entryId: due.position.id,
    part: due.position.part,
    attempt: attempts,
    at,
    ...attempt,
    firstAt,
    nextAt,
  }
}

/** Delays in seconds between a failed attempt and the next one. The last value repeats. */
const delays = [5, 300, 1800, 7200, 18_000, 36_000]
/** Seconds from the first attempt until the service gives up an event. */
const maxSeconds = 3 * 86_400
/** Longest delay that an endpoint can request, in seconds. */
const maxRetryAfter = 3600

interface Failure {
  /** Number of attempts so far. */
  attempts: number
  firstAt: Date
  at: Date
  retryAfterSeconds: number
}

/**
 * Returns when a failed event is attempted again; null if it is given up. The delay varies by a fifth, so that events that failed together
 * are not retried together. `random` is from 0 to 1.
 */
function nextAttempt({ attempts, firstAt, at, retryAfterSeconds }: Failure, random = Math.random()): Date | null {
  const seconds = (delays[attempts - 1] ?? 36_000) * (0.8 + 0.4 * random)
  const next = at.getTime() + Math.max(seconds, Math.min(retryAfterSeconds, maxRetryAfter)) * 1000
  return next <= firstAt.getTime() + maxSeconds * 1000 ? new Date(next) : null
}

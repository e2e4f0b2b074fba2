import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { horizon, inOrder, positionAt } from '../../schema/events/stream.ts'
import { actionsAndTypes, isUnattempted } from '../../schema/webhooks/lag.ts'
import type { WebhookTotals } from '../../schema/webhooks/lag.ts'
import { positionColumns } from '../../schema/webhooks/write-webhook.ts'

/** Number of webhooks that one statement checks. */
const pageSize = 200
const beforeAll = '00000000-0000-0000-0000-000000000000'

const readHorizon = '(SELECT until FROM horizon)'

/** Selects the first entry that meets a condition, among at most a hundred entries after the position of a webhook. */
const firstEntry = (value: string, entries: string, condition: string) => `(SELECT ${value} FROM (
  SELECT * FROM audit_entries e
  WHERE ${entries} AND (${inOrder('e')}) >= (w.position_transaction_id, w.position_at, w.position_id) ORDER BY ${inOrder('e')} LIMIT 100
) e WHERE ${condition} ORDER BY ${inOrder('e')} LIMIT 1)`

/** Selects that entry for a webhook of a team or of all teams. One condition for both would read the entries of all teams each time. */
const firstOfWebhook = (value: string, condition: string) => `CASE WHEN w.team_id IS NULL THEN ${firstEntry(value, 'true', condition)}
  ELSE ${firstEntry(value, 'e.team_id = w.team_id', condition)} END`

interface Page extends WebhookTotals {
  /** Transaction number. Entries of all transactions before it are settled. */
  horizon: string
  /** Webhooks that no process works on and that have settled entries after their position, or a due retry. */
  behind: readonly string[]
  /** The last webhook of the page; null if no other follows. */
  last: string | null
}

/**
 * Reads a page of webhooks after an identifier. Each webhook costs one index entry, or at most a hundred if it has something to deliver,
 * however old its position is.
 *
 * The position of a webhook whose team did nothing for two days moves to the first transaction that is not settled.
 */
const readPage = statement<Page, [actions: readonly string[], types: readonly string[], after: string, now: Date]>(
  'check_webhooks',
  `WITH horizon AS MATERIALIZED (SELECT ${horizon} AS until),
   page AS MATERIALIZED (SELECT * FROM webhooks WHERE id > $3::uuid ORDER BY id LIMIT ${pageSize}),
   checked AS MATERIALIZED (
     SELECT w.*, ${firstOfWebhook('e.transaction_id', 'true')} AS next,
       (SELECT true FROM webhook_retries r WHERE r.webhook_id = w.id AND r.due_at <= $4::timestamptz ORDER BY r.due_at LIMIT 1) IS TRUE
         AS "hasRetries"
     FROM page w WHERE w.disabled_at IS NULL
   ),
   idle AS (
     SELECT id FROM webhooks WHERE id = ANY (ARRAY(
       SELECT id FROM checked WHERE next IS NULL AND position_at < now() - interval '2 days'
     )) AND worked_until IS NULL AND position_at < now() - interval '2 days' FOR UPDATE SKIP LOCKED
   ),
   moved AS (
     UPDATE webhooks SET (${positionColumns}) = (SELECT ${positionAt(readHorizon)})
     WHERE id = ANY (ARRAY(SELECT id FROM idle))
   )
   SELECT ${readHorizon}::text AS horizon,
     to_json(ARRAY(SELECT id FROM checked WHERE (next < ${readHorizon} OR "hasRetries") AND coalesce(worked_until < now(), true))) AS behind,
     (SELECT id FROM page ORDER BY id OFFSET ${pageSize - 1}) AS last,
     (SELECT count(*)::int FROM page WHERE disabled_at IS NULL AND failing_since IS NULL) AS enabled,
     (SELECT count(*)::int FROM page WHERE disabled_at IS NULL AND failing_since IS NOT NULL) AS failing,
     (SELECT count(*)::int FROM page WHERE disabled_at IS NOT NULL) AS disabled,
     (SELECT coalesce(greatest(extract(epoch FROM now() - min(${firstOfWebhook('e.at', isUnattempted)})), 0), 0)::float8
      FROM checked w WHERE w.next IS NOT NULL AND w.failing_since IS NULL) AS "lagSeconds"`,
)

const nothing: WebhookTotals = { enabled: 0, failing: 0, disabled: 0, lagSeconds: 0 }

/**
 * Creates the check of all webhooks, which covers a page at each call and starts again at the end. It finds events that `claim` does not:
 * those from before the process started, and those beyond the number that `claim` reads at once.
 */
export function createWebhookCheck(pool: StatementPool) {
  let after = beforeAll
  let current = nothing
  let last: WebhookTotals | null = null
  let isUrgent = true

  return {
    /** Checks the next webhooks. Returns the horizon, and the webhooks that have something to deliver and that no process works on. */
    async next(now: Date): Promise<Pick<Page, 'horizon' | 'behind'>> {
      const [page] = await readPage(pool, ...actionsAndTypes, after, now)
      if (!page) throw new Error('the check of webhooks returned nothing')
      current = {
        enabled: current.enabled + page.enabled,
        failing: current.failing + page.failing,
        disabled: current.disabled + page.disabled,
        lagSeconds: Math.max(current.lagSeconds, page.lagSeconds),
      }
      after = page.last ?? beforeAll
      if (page.last === null) {
        last = current
        current = nothing
        isUrgent = false
      }
      return page
    },
    /** Starts again with the first webhook, to check all of them soon. */
    restart(): void {
      after = beforeAll
      current = nothing
      isUrgent = true
    },
    /** Returns true while webhooks remain that must be checked soon. */
    isUrgent: () => isUrgent,
    /** Returns true if any webhook is enabled. */
    hasWebhooks: () => [current, last].some((tally) => tally !== null && tally.enabled + tally.failing > 0),
    /** Returns the totals of the last complete check; null before it. */
    totals: () => last,
  }
}

import { randomUUID } from 'node:crypto'
import { statement } from '../../prisma/statement/statement.ts'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import type { Webhook } from '../../prisma/generated/client/client.ts'
import { systemPrincipal, writeAuditEntry } from '../core/audit/audit.ts'
import type { Ports } from '../core/ports.ts'
import type { Notices } from '../core/notices/notices.ts'
import { sendNoticeToOwners } from '../core/notices/send-notice.ts'
import { pauseRetries } from './write-webhook.ts'

// If deliveries to a webhook fail, the owners of the team get a mail after a day and when it is disabled.

type FailingPorts = Pick<Ports, 'database' | 'now' | 'sendMail'>

/** A webhook is disabled after this number of days without a success, if at least this number of events failed. */
const maxFailingDays = 3
const minFailedEvents = 10

type Named = Pick<Webhook, 'id' | 'teamId' | 'url' | 'failingSince'> & { team: string | null; slug: string | null }

const webhookToDisable = (name: string, condition: string) =>
  statement<Named, [value: string | Date]>(
    name,
    `SELECT w.id, w.team_id AS "teamId", w.url, w.failing_since AS "failingSince", t.name AS team, t.slug
     FROM webhooks w LEFT JOIN teams t ON t.id = w.team_id AND t.deleted_at IS NULL
     -- ARRAY makes PostgreSQL find the webhooks by their index. For a join with teams, it may read all of them.
     WHERE w.id = ANY (ARRAY(SELECT w.id FROM webhooks w WHERE w.disabled_at IS NULL AND ${condition} LIMIT 100 FOR UPDATE SKIP LOCKED))`,
  )
const findGone = webhookToDisable('gone_webhook', 'w.id = $1::uuid')
const findFailing = webhookToDisable(
  'failing_webhooks',
  `w.failing_since <= $1::timestamptz - interval '${maxFailingDays} days' AND w.failed_events >= ${minFailedEvents}`,
)
const findToWarn = webhookToDisable(
  'webhooks_to_warn_about',
  `w.failing_since <= $1::timestamptz - interval '1 day' AND w.warned_at IS NULL`,
)

/** Disables a webhook whose endpoint responded with 410 Gone. */
export const disableGone = (ports: FailingPorts, id: string): Promise<void> =>
  inTransaction(ports.database, async (transaction) => {
    for (const webhook of await findGone(transaction, id)) await disable(transaction, ports, webhook, 'gone')
  })

/** Warns the owners of some webhooks that fail, and disables those that have failed for too long. Returns the number of webhooks. */
export const attendToFailing = (ports: FailingPorts): Promise<number> =>
  inTransaction(ports.database, async (transaction) => {
    const now = ports.now()
    const failing = await findFailing(transaction, now)
    for (const webhook of failing) await disable(transaction, ports, webhook, 'failing')
    const warned = await findToWarn(transaction, now)
    for (const webhook of warned) {
      transaction.defer(updateRows(transaction, 'webhooks', { id: webhook.id }, { warnedAt: now }))
      await notifyOwners(transaction, ports, webhook, 'webhook-failing', {})
    }
    return failing.length + warned.length
  })

async function disable(transaction: Transaction, ports: FailingPorts, webhook: Named, reason: 'failing' | 'gone'): Promise<void> {
  const { id, teamId, url } = webhook
  const now = ports.now()
  transaction.defer(pauseRetries(transaction, id))
  transaction.defer(updateRows(transaction, 'webhooks', { id }, { disabledAt: now, disabledReason: reason }))
  const entry = { ...(teamId !== null && { teamId }), subject: id, subjectName: url, after: { reason } }
  writeAuditEntry(transaction, { now: ports.now, requestId: randomUUID(), principal: systemPrincipal }, 'disableWebhook', entry)
  await notifyOwners(transaction, ports, webhook, 'webhook-disabled', { reason })
}

async function notifyOwners<Kind extends 'webhook-failing' | 'webhook-disabled'>(
  transaction: Transaction,
  ports: FailingPorts,
  { id, teamId, team, slug, url }: Named,
  kind: Kind,
  rest: Omit<Notices[Kind], keyof Notices['webhook-failing']>,
): Promise<void> {
  // The operator's webhooks for all teams send no notice: the command line shows their state.
  if (teamId === null || team === null || slug === null) return
  const data = { team, slug, webhookId: id, host: new URL(url).host, ...rest }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript does not see that the parts make the whole
  await sendNoticeToOwners(transaction, { ...ports, principal: null, browser: null }, teamId, kind, data as unknown as Notices[Kind])
}

import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { withDates } from '../builder/with-dates.ts'
import { WebhookDeliveryType, readVisibleEvent } from './delivery.ts'
import type { Delivery } from './delivery.ts'
import { listSecrets, serializeEvent } from './send-event.ts'
import { signatureHeaders } from './secret.ts'

/** The highest number of attempts that a delivery lists. An event is attempted about ten times, and again on demand. */
const maxAttempts = 50

type AttemptRow = Omit<Delivery, 'at' | 'teamId' | 'team'> & { at: string }

const attemptsOfEvent = statement<AttemptRow, [webhookId: string, entryId: string, part: number]>(
  'attempts_of_event',
  `SELECT id, webhook_id AS "webhookId", type, entry_id AS "entryId", part, attempt, at, result, status,
     latency_milliseconds AS "latencyMilliseconds", response_body AS "responseBody", error
   FROM webhook_deliveries WHERE webhook_id = $1 AND entry_id = $2 AND part = $3 ORDER BY at DESC, id DESC LIMIT ${maxAttempts}`,
)

const nextAttempt = statement<{ dueAt: string }, [webhookId: string, entryId: string, part: number]>(
  'next_attempt_of_event',
  `SELECT due_at AS "dueAt" FROM webhook_retries r JOIN webhooks w ON w.id = r.webhook_id
   WHERE r.webhook_id = $1 AND r.entry_id = $2 AND r.part = $3 AND w.disabled_at IS NULL`,
)

builder.objectFields(WebhookDeliveryType, (t) => ({
  attempts: t.field({
    description: `All attempts to deliver the event to the webhook, latest first, at most ${maxAttempts}; a test event has one.`,
    type: [WebhookDeliveryType],
    complexity: { field: 5, multiplier: maxAttempts },
    resolve: async (delivery, _, { database }) => {
      const { webhookId, entryId, part, teamId, team } = delivery
      if (entryId === null) return [delivery]
      const rows = await attemptsOfEvent(database.pool, webhookId, entryId, part)
      return rows.map((row) => {
        const attempt = withDates(row, ['at'])
        return Object.assign(attempt, { teamId, team })
      })
    },
  }),
  nextAttemptAt: t.field({
    description: 'When the event is delivered to the webhook again; null if it is not.',
    type: 'DateTime',
    nullable: true,
    resolve: async ({ webhookId, entryId, part }, _, { database }) => {
      const [next] = entryId === null ? [] : await nextAttempt(database.pool, webhookId, entryId, part)
      return next ? new Date(next.dueAt) : null
    },
  }),
  signature: t.string({
    nullable: true,
    description:
      'The header field `webhook-signature` of the request, computed again from `requestBody`. Null like `event`, and for an attempt that a secret may have signed that the webhook no longer has.',
    resolve: async (delivery, _, context) => {
      const event = await readVisibleEvent(context, delivery)
      const webhook = await context.database.prisma.webhook.findUnique({ where: { id: delivery.webhookId } })
      if (!event || !webhook) return null
      // Until the previous secret expired, it signed alone or together with the current one. The time of the rotation is not stored.
      if (webhook.previousSecretExpiresAt && delivery.at < webhook.previousSecretExpiresAt) return null
      const secrets = listSecrets(context, webhook, delivery.at)
      return secrets && signatureHeaders(secrets, event.id, delivery.at, serializeEvent(event))['webhook-signature']
    },
  }),
}))

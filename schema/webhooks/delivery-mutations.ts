import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import { insertRow } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change } from '../core/audit/audit.ts'
import { notFound, rateLimited } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isIdentifier, parse } from '../core/validation.ts'
import { eventParts } from '../events/catalogue.ts'
import { EventTypeEnum } from '../events/event.ts'
import { exampleEvent } from '../events/example-event.ts'
import { toColumns, buildEventTable } from '../events/stream.ts'
import type { EventColumns } from '../events/stream.ts'
import { loadTeamSlugs } from '../tokens/team-slugs.ts'
import { WebhookDeliveryType } from './delivery.ts'
import type { Delivery } from './delivery.ts'
import { WebhookPayload } from './mutations.ts'
import { auditedWebhook, findWebhook, lockEnabledWebhook, lockWebhook, writeWebhooks } from './own-webhook.ts'
import { isWantedType, maxReplayed } from './rules.ts'
import { sendEvent } from './send-event.ts'
import { WebhookType } from './webhook.ts'
import type { Webhook } from '../../prisma/generated/client/client.ts'

const webhookId = { required: true, description: 'The identifier of the webhook.' } as const

const SendTestEventPayload = payloadType<{ delivery: Delivery }>('SendTestEventPayload', {
  description: 'The attempt, with the answer of the endpoint.',
  fields: (t) => ({ delivery: t.expose('delivery', { type: WebhookDeliveryType, description: 'The attempt.' }) }),
})
const ReplayEventsPayload = payloadType<{ webhook: Webhook; events: number }>('ReplayEventsPayload', {
  description: 'How many events will be delivered again.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }),
    events: t.exposeInt('events', { description: 'The number of events.' }),
  }),
})

const testLimit = { policy: 'webhook-tests', quota: 10, windowSeconds: 60, counted: 'test events' } as const
const countTests = statement<{ count: number }, [webhookId: string, since: Date]>(
  'count_webhook_tests',
  'SELECT count(*)::int AS count FROM webhook_deliveries WHERE webhook_id = $1 AND entry_id IS NULL AND at > $2::timestamptz',
)

const deliveryById = statement<{ webhookId: string; entryId: string | null; part: number }, [id: string]>(
  'webhook_delivery_by_id',
  'SELECT webhook_id AS "webhookId", entry_id AS "entryId", part FROM webhook_deliveries WHERE id = $1',
)
const schedule = `INSERT INTO webhook_retries (webhook_id, entry_id, part, attempts, first_at, due_at)`
const atOnce = `ON CONFLICT (webhook_id, entry_id, part) DO UPDATE SET first_at = excluded.first_at, due_at = excluded.due_at`
const attemptsSql = (entry: string, part: string) =>
  `(SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_id = $1::uuid AND d.entry_id = ${entry} AND d.part = ${part})`

const scheduleOne = statement<object, [webhookId: string, entryId: string, part: number, now: Date]>(
  'redeliver_event',
  `${schedule} SELECT $1::uuid, $2::uuid, $3::smallint, ${attemptsSql('$2::uuid', '$3::smallint')}, $4::timestamptz, $4::timestamptz ${atOnce}`,
)

const replay = (name: string, entries: string) =>
  statement<{ count: number }, [string, string | null, Date, Date, Date, boolean, ...EventColumns]>(
    name,
    `WITH scheduled AS (
       ${schedule}
       SELECT $1::uuid, e.id, w.part, ${attemptsSql('e.id', 'w.part')}, $5::timestamptz, $5::timestamptz
       FROM audit_entries e JOIN ${buildEventTable(7)} ON w.action = e.action
       WHERE ${entries} AND e.at >= $3::timestamptz AND e.at < $4::timestamptz AND (NOT $6 OR (
         EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = $1::uuid AND d.entry_id = e.id AND d.part = w.part) AND
         NOT EXISTS (SELECT FROM webhook_deliveries d
           WHERE d.webhook_id = $1::uuid AND d.entry_id = e.id AND d.part = w.part AND d.result = 'delivered')))
       ORDER BY e.at, e.id, w.part LIMIT ${maxReplayed}
       ${atOnce} RETURNING 1
     ) SELECT count(*)::int AS count FROM scheduled`,
  )
const replayTeam = replay('replay_events_of_team', 'e.team_id = $2::uuid')
const replayAllTeams = replay('replay_events_of_all_teams', '$2::uuid IS NULL AND e.team_id IS NOT NULL')

const replayRules = z
  .object({ since: z.date(), until: z.date(), onlyFailed: z.boolean().nullish() })
  .refine(({ since, until }) => since < until, { path: ['until'], message: 'The :attribute field must be a date after since.' })

builder.mutationFields((t) => ({
  sendTestEvent: t.field({
    description: 'Sends an example event to a webhook immediately and returns the response. It is not repeated. At most 10 a minute.',
    type: SendTestEventPayload,
    requires: writeWebhooks,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('SendTestEventInput', {
          fields: (f) => ({
            id: f.id(webhookId),
            type: f.field({ type: EventTypeEnum, required: true, description: 'The type of the event.' }),
          }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const webhook = await findWebhook(context, input.id, writeWebhooks)
      const since = new Date(context.now().getTime() - testLimit.windowSeconds * 1000)
      const [tests] = await countTests(context.database.pool, webhook.id, since)
      if ((tests?.count ?? 0) >= testLimit.quota) throw rateLimited(testLimit, testLimit.windowSeconds)
      const [team = null] = webhook.teamId === null ? [] : await loadTeamSlugs(context, [webhook.teamId])
      const id = randomUUID()
      const event = exampleEvent(input.type, { id, team: team ?? 'example', at: context.now() })
      const { retryAfterSeconds: _unused, ...attempt } = await sendEvent(context, webhook, event)
      const row = { id, webhookId: webhook.id, type: input.type, entryId: null, part: 0, attempt: 1, ...attempt }
      return change(context, info, async (transaction) => {
        await lockWebhook(transaction, webhook.id)
        transaction.defer(insertRow(transaction, 'webhook_deliveries', row))
        const after = { type: input.type, result: attempt.result, status: attempt.status }
        return { result: { delivery: { ...row, teamId: webhook.teamId, team } }, ...auditedWebhook(webhook), after }
      })
    },
  }),
  redeliver: t.field({
    description: 'Delivers the event of an attempt again, soon, whether the attempt succeeded or failed.',
    type: WebhookPayload,
    requires: writeWebhooks,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RedeliverInput', {
          fields: (f) => ({ deliveryId: f.id({ required: true, description: 'The identifier of the attempt.' }) }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const id = parseIdentifier(input.deliveryId, ['WebhookDelivery'])
      const [delivery] = isIdentifier(id) ? await deliveryById(context.database.pool, id) : []
      if (!delivery) throw notFound()
      const webhook = await findWebhook(context, delivery.webhookId, writeWebhooks)
      const { entryId, part } = delivery
      if (entryId === null) throw notFound('a test event is not delivered again')
      return change(context, info, async (transaction) => {
        await lockEnabledWebhook(transaction, webhook.id)
        transaction.defer(scheduleOne(transaction, webhook.id, entryId, part, context.now()))
        return { result: { webhook }, ...auditedWebhook(webhook), after: { deliveryId: id } }
      })
    },
  }),
  replayEvents: t.field({
    description: `Delivers the events of a time again, at most ${maxReplayed}, oldest first: those of the types of the webhook.`,
    type: ReplayEventsPayload,
    requires: writeWebhooks,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('ReplayEventsInput', {
          fields: (f) => ({
            id: f.id(webhookId),
            since: f.field({ type: 'DateTime', required: true, description: 'Only events at or after this instant.' }),
            until: f.field({ type: 'DateTime', required: true, description: 'Only events before this instant.' }),
            onlyFailed: f.boolean({ description: 'Only events that were attempted and never delivered. Default: false.' }),
          }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const webhook = await findWebhook(context, input.id, writeWebhooks)
      const { since, until, onlyFailed } = parse(replayRules, input)
      return change(context, info, async (transaction) => {
        const { types } = await lockEnabledWebhook(transaction, webhook.id)
        const parts = eventParts.filter(({ type }) => isWantedType(types, type))
        const { id, teamId } = webhook
        const values = [id, teamId, since, until, context.now(), onlyFailed ?? false, ...toColumns(parts)] as const
        const [scheduled] = await (teamId === null ? replayAllTeams : replayTeam)(transaction, ...values)
        const events = scheduled?.count ?? 0
        const after = { since: since.toISOString(), until: until.toISOString(), onlyFailed: onlyFailed ?? false, events }
        return { result: { webhook, events }, ...auditedWebhook(webhook), after }
      })
    },
  }),
}))

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import type { Webhook } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change, difference } from '../core/audit/audit.ts'
import { changeOnce, idempotencyRules, keyDescription } from '../core/database/change-once.ts'
import { forbidden, notFound } from '../core/errors.ts'
import { lockTeam } from '../core/database/locks.ts'
import { requirePrincipal, requireTeamAccess } from '../core/team-access/team-access.ts'
import { requireRequestUrl } from '../core/outgoing/url-rules.ts'
import { parse, refused } from '../core/validation.ts'
import { EventTypeEnum } from '../events/event.ts'
import {
  auditedWebhook,
  authorizeEvents,
  enableWebhooks,
  findWebhook,
  lockWebhook,
  writeWebhookSecrets,
  writeWebhooks,
} from './own-webhook.ts'
import { webhookRules } from './rules.ts'
import { createSecret } from './secret.ts'
import { WebhookType } from './webhook.ts'
import { insertWebhook, pauseRetries, resumeRetries, skipToCurrentPosition } from './write-webhook.ts'
import { reasonField } from '../core/staff/staff-acts.ts'

export const secretField = { description: 'The secret that signs deliveries, as `whsec_…`. It is shown only here.' }
const CreateWebhookPayload = payloadType<{ webhook: Webhook; secret: string }>('CreateWebhookPayload', {
  description: 'The new webhook, and its secret, which is shown only here.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: WebhookType, description: 'The new webhook.' }),
    secret: t.exposeString('secret', secretField),
  }),
})
export const WebhookPayload = payloadType<{ webhook: Webhook }>('WebhookPayload', {
  description: 'A webhook after the change.',
  fields: (t) => ({ webhook: t.expose('webhook', { type: WebhookType, description: 'The webhook.' }) }),
})

const CreateWebhookInput = builder.inputType('CreateWebhookInput', {
  fields: (t) => ({
    team: t.string({ description: 'Slug of the team. Operators may leave it out, for the events of all teams.' }),
    url: t.string({ required: true, description: 'The URL that receives the events: https, on the public internet.' }),
    description: t.string({ description: 'A note for people.' }),
    types: t.field({ type: [EventTypeEnum], description: 'The types of events that are delivered. Default: all.' }),
    idempotencyKey: t.id({ description: keyDescription('webhook', 'it is refused, as the secret is not shown again') }),
  }),
})
const createRules = z.object({
  url: webhookRules.url,
  description: webhookRules.description.nullish().transform((note) => note ?? ''),
  types: webhookRules.types.nullish().transform((types) => types ?? []),
})

const WebhookStartType = enumType('WebhookStart', 'With which events a webhook continues when it is enabled again.', {
  stopped: 'With the first that was not delivered.',
  present: 'With those that happen from now on.',
})
const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'The input of `updateWebhook`; an absent field stays as it is.',
  fields: (t) => ({
    team: t.string({ description: 'Slug of the team to which the webhook must belong. Default: any team of the caller.' }),
    id: t.id({ required: true, description: 'The identifier of the webhook.' }),
    url: t.string({ description: 'The URL that receives the events: https, on the public internet.' }),
    description: t.string({ description: 'A note for people.' }),
    types: t.field({ type: [EventTypeEnum], description: 'The types of events that are delivered; empty for all.' }),
    enabled: t.boolean({ description: 'Whether events are delivered.' }),
    continueFrom: t.field({
      type: WebhookStartType,
      description: 'For `enabled: true`: with which events it continues. Default: `STOPPED`.',
    }),
    reason: t.string(reasonField),
  }),
})
const updateRules = z.object(webhookRules).partial()

const deleteWebhook = statement<object, [id: string]>('delete_webhook', 'DELETE FROM webhooks WHERE id = $1')

builder.mutationFields((t) => ({
  createWebhook: t.field({
    description: 'Creates a webhook: the events of the team are delivered to a URL, signed by Standard Webhooks 1.0. A team can have 20.',
    type: CreateWebhookPayload,
    requires: writeWebhookSecrets,
    args: { input: t.arg({ type: CreateWebhookInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      if (input.team == null && requirePrincipal(context).kind !== 'operator')
        throw refused({ team: ['The :attribute field is required.'] })
      const teamId = input.team == null ? null : (await requireTeamAccess(context, input.team)).team.id
      const settings = parse(createRules, input)
      const { idempotencyKey: key } = parse(idempotencyRules, input)
      const id = randomUUID()
      requireRequestUrl(context.outgoing, 'url', settings.url)
      const creation = { what: 'webhook', key, owner: teamId ?? 'operator', input: settings, id }
      const insert = async (transaction: Transaction) => {
        if (teamId !== null) await lockTeam(transaction, teamId)
        const { text: secret, encrypted } = createSecret(context, id)
        const webhook: Webhook = {
          ...newWebhook,
          id,
          teamId,
          ...settings,
          secret: encrypted,
          createdAt: context.now(),
          updatedAt: context.now(),
        }
        await insertWebhook(transaction, webhook)
        return { result: { webhook, secret }, ...auditedWebhook(webhook), after: settings }
      }
      return changeOnce(context, info, creation, insert, 'and its secret is not shown again')
    },
  }),
  updateWebhook: t.field({
    description:
      'Changes a webhook. To change its URL or its types, the caller must be able to read the events that it delivers. When it is enabled again it continues with the first event that was not delivered, or with those that happen from now on. Staff can only enable and disable it.',
    type: WebhookPayload,
    requires: enableWebhooks,
    args: { input: t.arg({ type: UpdateWebhookInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const webhook = await findWebhook(context, input.id, enableWebhooks)
      const { id, teamId } = webhook
      if (input.team != null && (await requireTeamAccess(context, input.team)).team.id !== teamId) throw notFound()
      const { enabled, ...changes } = parse(updateRules, input)
      if (requirePrincipal(context).kind === 'staff' && Object.keys(changes).length > 0) throw forbidden('role_required')
      if (changes.url !== undefined || changes.types) await authorizeEvents(context, webhook, changes.types ?? webhook.types)
      if (changes.url !== undefined) requireRequestUrl(context.outgoing, 'url', changes.url)
      return change(context, info, async (transaction) => {
        const current = await lockWebhook(transaction, id)
        const { url, description, types } = current
        const wasEnabled = current.disabledAt === null
        if (enabled && current.secret.length === 0) throw refused({ enabled: ['The webhook has no secret yet. Rotate it first.'] })
        const changed = difference(
          { url, description, types, enabled: wasEnabled },
          { ...changes, ...(enabled !== undefined && { enabled }) },
        )
        const data = {
          ...changes,
          ...(enabled !== undefined && enabled !== wasEnabled && stateColumns(enabled, context.now())),
          updatedAt: context.now(),
        }
        if (!changed.isUnchanged) transaction.defer(updateRows(transaction, 'webhooks', { id }, data))
        if (enabled === false && wasEnabled) transaction.defer(pauseRetries(transaction, id))
        if (enabled && !wasEnabled && input.continueFrom === 'present') await skipToCurrentPosition(transaction, id, context.now())
        else if (enabled && !wasEnabled) transaction.defer(resumeRetries(transaction, id, context.now()))
        const webhook = changed.isUnchanged ? current : { ...current, ...data }
        return { result: { webhook }, ...auditedWebhook(current), ...changed }
      })
    },
  }),
  deleteWebhook: t.field({
    description: 'Deletes a webhook with its deliveries.',
    type: WebhookPayload,
    requires: writeWebhooks,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('DeleteWebhookInput', {
          fields: (t) => ({ id: t.id({ required: true, description: 'The identifier of the webhook.' }) }),
        }),
      }),
    },
    resolve: async (_, { input }, context, info) => {
      const { id } = await findWebhook(context, input.id, writeWebhooks)
      return change(context, info, async (transaction) => {
        const webhook = await lockWebhook(transaction, id)
        transaction.defer(deleteWebhook(transaction, id))
        return { result: { webhook }, ...auditedWebhook(webhook), before: { url: webhook.url, types: webhook.types } }
      })
    },
  }),
}))

const newWebhook = {
  previousSecret: null,
  previousSecretExpiresAt: null,
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  failedEvents: 0,
  warnedAt: null,
  worker: null,
  workedUntil: null,
  // `insertWebhook` writes the position; no field shows it.
  eventsSince: new Date(0),
  positionAt: new Date(0),
  positionId: '',
  positionPart: 0,
}

/** Returns the columns that enabling and disabling by request set. */
const stateColumns = (enabled: boolean, now: Date) =>
  enabled
    ? { disabledAt: null, disabledReason: null, failingSince: null, failedEvents: 0, warnedAt: null }
    : { disabledAt: now, disabledReason: 'request' as const }

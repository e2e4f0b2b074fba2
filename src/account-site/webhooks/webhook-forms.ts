import { z } from 'zod'
import { invalid } from '../../../schema/core/errors.ts'
import { checkbox, seconds, text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import {
  DeleteWebhookDocument,
  ReplayEventsDocument,
  RotateWebhookSecretDocument,
  SendTestEventDocument,
  UpdateWebhookDocument,
  WebhookSecretDocument,
} from '../generated/operations.ts'
import { toEventTypes } from './event-names.ts'
import { parseLocalTime } from './deliveries/local-time.ts'
import { rotatedWebhookPage } from './webhook-secret.tsx'
import { webhookFields, buildWebhookInput } from './webhook-fields.tsx'

const getId = (ctx: PageContext) => ctx.param('webhook')
const getListPath = (ctx: PageContext) => `/teams/${ctx.param('team')}/webhooks`

const update = form({
  fields: webhookFields,
  document: UpdateWebhookDocument,
  variables: (fields, ctx) => ({ input: { id: getId(ctx), ...buildWebhookInput(fields) } }),
  notice: 'The webhook was saved.',
})

const enable = form({
  fields: z.object({ continueFrom: z.enum(['STOPPED', 'PRESENT']).catch('STOPPED') }),
  document: UpdateWebhookDocument,
  variables: ({ continueFrom }, ctx) => ({ input: { id: getId(ctx), enabled: true, continueFrom } }),
  notice: (_, __, { continueFrom }) =>
    continueFrom === 'STOPPED'
      ? 'The webhook is enabled. It continues with the first event that was not delivered.'
      : 'The webhook is enabled. It continues with the events from now on.',
})

const disable = form({
  fields: z.object({}),
  document: UpdateWebhookDocument,
  variables: (_, ctx) => ({ input: { id: getId(ctx), enabled: false } }),
  notice: 'The webhook is disabled. No events are delivered to it.',
  // The page that says so, and enables it again.
  onSuccess: (_, ctx) => `${getListPath(ctx)}/${getId(ctx)}`,
})

const webhookSecret = siteOperation(WebhookSecretDocument)
const rotate = form({
  fields: z.object({ overlapSeconds: seconds, previous: text }),
  document: RotateWebhookSecretDocument,
  // Reloading the page with the secret submits the form again, which would end the overlap of the previous secret.
  async guard({ previous }, ctx) {
    const { team } = await webhookSecret.run({ team: ctx.param('team'), id: getId(ctx) }, ctx)
    if (previous !== (team.webhook.previousSecretExpiresAt ?? ''))
      throw invalid({ previous: ['The secret was already rotated, and the new one is not shown again.'] })
  },
  variables: ({ overlapSeconds }, ctx) => ({ input: { id: getId(ctx), overlapSeconds } }),
  onSuccess: ({ rotateWebhookSecret }, ctx) => rotatedWebhookPage(rotateWebhookSecret, ctx),
})

const test = form({
  fields: z.object({ type: text }),
  document: SendTestEventDocument,
  variables({ type: name }, ctx) {
    const [type] = toEventTypes([name])
    if (type === undefined) throw invalid({ type: ['Choose an event.'] })
    return { input: { id: getId(ctx), type } }
  },
  onSuccess: ({ sendTestEvent: { delivery } }, ctx) => `${ctx.path}?test=${delivery.deliveryId}`,
})

const replay = form({
  fields: z.object({ since: text, until: text, onlyFailed: checkbox }),
  document: ReplayEventsDocument,
  variables({ since, until, onlyFailed }, ctx) {
    const timezone = ctx.person?.timeSettings?.timezone ?? null
    const [from, to] = [parseLocalTime(since, timezone), parseLocalTime(until, timezone)]
    if (!from) throw invalid({ since: ['Enter a date and a time.'] })
    if (!to) throw invalid({ until: ['Enter a date and a time.'] })
    if (from >= to) throw invalid({ until: ['Enter a time after the start of the period.'] })
    return { input: { id: getId(ctx), since: from.toISOString(), until: to.toISOString(), onlyFailed } }
  },
  notice: ({ replayEvents: { events } }) =>
    events === 0
      ? 'There are no such events in this period. Nothing is delivered again.'
      : `${events === 1 ? '1 event is' : `${events.toLocaleString('en')} events are`} delivered again.`,
})

const remove = form({
  fields: z.object({}),
  document: DeleteWebhookDocument,
  variables: (_, ctx) => ({ input: { id: getId(ctx) } }),
  notice: 'The webhook was deleted.',
  onSuccess: (_, ctx) => getListPath(ctx),
})

/** The forms of the pages of a webhook. */
export const deliveryForms = { enable, replay }
export const testForms = { test }
export const webhookSettingsForms = { update, disable, rotate, delete: remove }

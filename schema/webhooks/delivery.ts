import { z } from 'zod'
import type { WebhookDelivery } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import type { Context } from '../core/context.ts'
import { isAuthorized } from '../core/requires.ts'
import { findTeamAccess, requirePrincipal } from '../core/team-access/team-access.ts'
import { readEvents, requirementsOfSubjects } from '../events/catalogue.ts'
import { eventTypes, isEventType } from '../events/event-types.ts'
import { EventNodeType, EventTypeEnum, buildEvent } from '../events/event.ts'
import type { TeamEventNode } from '../events/event.ts'
import { exampleEvent } from '../events/example-event.ts'
import { findEventsByKey, formatEventKey } from '../events/stream.ts'
import { loadBatched } from '../lists/batch.ts'
import { serializeEvent } from './send-event.ts'

/** An attempt, with the team of its webhook, which decides who may see the event. */
export type Delivery = WebhookDelivery & { teamId: string | null; team: string | null }

export const WebhookDeliveryResultType = enumType('WebhookDeliveryResult', 'How an attempt to deliver an event ended.', {
  delivered: 'The endpoint responded with a 2xx status code.',
  failed: 'It responded with another status code, or not at all.',
} satisfies Record<WebhookDelivery['result'], string>)

export const WebhookDeliveryType = builder.objectRef<Delivery>('WebhookDelivery').implement({
  describedBy: 'WebhookDelivery',
  fields: (t) => ({
    deliveryId: t.exposeID('id'),
    type: t.field({
      type: EventTypeEnum,
      nullable: true,
      description: 'The type of the event; null if there is no such type any more.',
      resolve: ({ type }) => (isEventType(type) ? type : null),
    }),
    isTest: t.boolean({ description: 'Whether it was a test event, which did not happen.', resolve: ({ entryId }) => entryId === null }),
    event: t.field({
      type: EventNodeType,
      nullable: true,
      description: 'The event; null if the audit log no longer contains it, or if the caller may not read events of its type.',
      resolve: (delivery, _, context) => readVisibleEvent(context, delivery),
    }),
    attempt: t.exposeInt('attempt'),
    at: t.expose('at', { type: 'DateTime' }),
    result: t.expose('result', { type: WebhookDeliveryResultType }),
    status: t.exposeInt('status', { nullable: true }),
    latencyMilliseconds: t.exposeInt('latencyMilliseconds'),
    requestHeaders: t.field({
      type: 'JSON',
      nullable: true,
      extensions: { rule: z.record(z.string(), z.string()) },
      description: 'The header fields of the request, without the signature; null like `event`.',
      resolve: async (delivery, _, context) => {
        const event = await readVisibleEvent(context, delivery)
        const timestamp = String(Math.floor(delivery.at.getTime() / 1000))
        return event && { 'content-type': 'application/json', 'webhook-id': event.id, 'webhook-timestamp': timestamp }
      },
    }),
    requestBody: t.string({
      nullable: true,
      description: 'The body of the request, made from the event as it is read now: what was deleted since is null. Null like `event`.',
      resolve: async (delivery, _, context) => {
        const event = await readVisibleEvent(context, delivery)
        return event && serializeEvent(event)
      },
    }),
    // The response requires the permission to read the event, because endpoints repeat in it what they received.
    responseBody: t.string({
      nullable: true,
      description: 'The first 4 KB of the response, or null if there was none. Null like `event`.',
      resolve: async (delivery, _, context) => (await readVisibleEvent(context, delivery)) && delivery.responseBody,
    }),
    error: t.string({
      nullable: true,
      description: 'Why there was no response, or null. Null like `event`.',
      resolve: async (delivery, _, context) => (await readVisibleEvent(context, delivery)) && delivery.error,
    }),
  }),
})

/** Returns the event of a delivery, if the caller may read it: a caller who may see webhooks may lack access to members or tokens. */
export async function readVisibleEvent(context: Context, delivery: Delivery): Promise<TeamEventNode | null> {
  const { id, type, entryId, part, at, teamId } = delivery
  if (!isEventType(type)) return null
  if (requirePrincipal(context).kind !== 'operator') {
    const teamAccess = teamId === null ? null : await findTeamAccess(context, 'id', teamId)
    const requirements = [readEvents, requirementsOfSubjects[eventTypes[type].subject]]
    if (!teamAccess || !requirements.every((requirement) => isAuthorized(context, requirement, teamAccess))) return null
  }
  if (entryId === null) return exampleEvent(type, { id, team: delivery.team ?? 'example', at })
  const key = formatEventKey({ id: entryId, part })
  const row = await loadBatched(context, 'event of delivery', key, (keys: string[]) => findEventsByKey(context.database.pool, keys))
  return row ? buildEvent(row) : null
}

import { z } from 'zod'
import { eventTypeNames, eventTypes } from '../../schema/events/event-types.ts'
import type { EventType } from '../../schema/events/event-types.ts'
import { eventData } from '../../schema/events/event-data.ts'
import type { Tag } from '../tags.ts'
import { object } from './components.ts'
import type { Components, JsonSchema, Reference, Response } from './components.ts'
import { eventId, eventSample } from './examples.ts'
import type { Parameter, RequestBody } from './schemas/request-schema.ts'
import { jsonSchema } from './schemas/value-schema.ts'

/** The request that informs an endpoint about an event. */
interface WebhookOperation {
  operationId: string
  summary: string
  description: string
  tags: Tag[]
  security: []
  parameters: Reference[]
  requestBody: RequestBody
  responses: Record<string, Response>
}

const header = (name: string, description: string, schema: JsonSchema, example: unknown): Parameter => ({
  name,
  in: 'header',
  description,
  required: true,
  schema,
  example,
})

/** The header fields of Standard Webhooks 1.0, by their names in the components. */
export const webhookParameters: Readonly<Record<string, Parameter>> = {
  WebhookId: header(
    'webhook-id',
    'The identifier of the event, the same at each attempt. Ignore a request whose identifier you have processed.',
    { type: 'string' },
    eventId,
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970-01-01 UTC. Refuse a request that is older than five minutes.',
    { type: 'integer' },
    1_769_851_800,
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures, separated by spaces, one for each secret that is valid: `v1,` and the Base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the bytes that the part of the secret after `whsec_` encodes. Accept the request if one of them is right.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]+={0,2}( v1,[A-Za-z0-9+/]+={0,2})*$' },
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}

const responses: Record<string, Response> = {
  '2XX': { description: 'The event was received. The body is ignored.', headers: {} },
  '410': {
    description: 'The endpoint is gone: the webhook is disabled immediately. After any other response the request is repeated later.',
    headers: {},
  },
}

/** Returns the requests that webhooks send, one for each type of event in the catalogue. `event` is the schema of an event of any type. */
export function buildWebhooks(components: Components): Record<EventType, { post: WebhookOperation }> {
  const { Event: event } = components.schemas
  if (!event?.properties) throw new Error('OpenAPI: no route returns events')
  const { properties } = event
  const buildOperation = (type: EventType): WebhookOperation => {
    const { subject, about } = eventTypes[type]
    const members = {
      ...properties,
      type: { ...jsonSchema(z.literal(type), components), description: 'What happened.' },
      data: jsonSchema(eventData[subject], components),
    }
    return {
      operationId: `webhooks.${type}`,
      summary: type,
      description: about,
      tags: ['Webhooks'],
      security: [],
      parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: object(event.description ?? '', members), example: eventSample(type) },
        },
      },
      responses,
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- built from all types
  return Object.fromEntries(eventTypeNames.map((type) => [type, { post: buildOperation(type) }])) as Record<
    EventType,
    { post: WebhookOperation }
  >
}

import { z } from 'zod'
import { text } from '../core/validation.ts'
import { eventTypeNames } from '../events/event-types.ts'

/** Maximum number of webhooks of a team. */
export const maxWebhooks = 20

/** Maximum number of events in one replay; further ones need another. */
export const maxReplayed = 10_000

/** Days for which the attempts to deliver events are stored, with the beginning of each response. */
export const deliveryDays = 30

/** Returns a URL in the form of requests: parsers skip line breaks and tabs, which lists and the audit log would show. */
const formatUrl = (url: string) => URL.parse(url)?.href ?? url

export const webhookRules = {
  url: text.trim().min(1).overwrite(formatUrl).max(2000).describe('The URL that receives the events: https, on the public internet.'),
  description: text.trim().max(255).describe('A note for people.'),
  types: z
    .array(z.enum(eventTypeNames).meta({ id: 'EventType' }))
    .transform((types) => eventTypeNames.filter((name) => types.includes(name)))
    .describe('The types of events that are delivered; empty for all.'),
  enabled: z.boolean().describe('Whether events are delivered.'),
}

/** Returns true if a webhook of these types receives events of a type; without types it receives all. */
export const isWantedType = (types: readonly string[], type: string): boolean => types.length === 0 || types.includes(type)

/** Numbers of seconds for which the previous secret can sign after a rotation. Default: a day. */
export const secretOverlaps = [0, 3600, 86_400, 604_800] as const
export const secretOverlapRules = z.object({ overlapSeconds: z.literal(secretOverlaps) })

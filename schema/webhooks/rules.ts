import { z } from 'zod'
import { text } from '../core/validation.ts'
import { eventTypeNames } from '../events/event-types.ts'

/** How many webhooks a team can have. */
export const maxWebhooks = 20

/** Events of one replay; further ones need another. */
export const maxReplayed = 10_000

/** Days for which the attempts to deliver events are stored, with the beginning of each response. */
export const deliveryDays = 30

/** The form in which a URL is requested: a parser of URLs skips line breaks and tabs, which lists and the audit log would show. */
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

/** Whether a webhook of these types receives events of a type; without types it receives all. */
export const isWantedType = (types: readonly string[], type: string): boolean => types.length === 0 || types.includes(type)

/** For how many seconds the previous secret can sign after a rotation. Default: a day. */
export const secretOverlaps = [0, 3600, 86_400, 604_800] as const
export const secretOverlapRules = z.object({ overlapSeconds: z.literal(secretOverlaps) })

import { z } from 'zod'
import { brokenUrlRule, getHost } from '../../../../schema/core/outgoing/url-rules.ts'
import { teamSlug } from '../../../../schema/teams/rules.ts'
import { webhookRules } from '../../../../schema/webhooks/rules.ts'
import { recordType } from '../record-type.ts'
import { optional, reference, stored } from '../storage.ts'
import { uuid, instant } from '../values.ts'

/** Returns true if a service could call the URL. Each attempt checks which private hosts it may call. */
function isCallable(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && brokenUrlRule(url, new Set([getHost(parsed)])) === null
}

/** Webhooks of teams. Those for the events of all teams belong to an installation. Their writer is import/types/webhook-import.ts. */
const schema = z.strictObject({
  type: z.literal('webhook'),
  // A team can have several webhooks with the same URL.
  id: stored('uuid', uuid, { isKey: true }),
  team: reference('team', teamSlug),
  url: stored('text', webhookRules.url.refine(isCallable, 'The :attribute field must be a URL without user information and fragment.')),
  description: stored('text', optional(webhookRules.description), { default: '' }),
  types: stored('text[]', optional(webhookRules.types), { default: [] }),
  created_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
})

export const webhookRecord = recordType({
  schema,
  table: 'webhooks',
  orderBy: 't.slug COLLATE "C", e.created_at, e.id',
  where: 'e.team_id IS NOT NULL',
  subject: ['url', 'team'],
})

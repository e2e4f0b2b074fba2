import { z } from 'zod'
import { text } from '../../../../schema/core/validation.ts'
import { domainName } from '../../../../schema/domains/rules.ts'
import { teamSlug } from '../../../../schema/teams/rules.ts'
import { recordType } from '../record-type.ts'
import { optional, reference, stored } from '../storage.ts'
import { instant } from '../values.ts'

export const domainRecord = recordType({
  schema: z.strictObject({
    type: z.literal('domain'),
    team: reference('team', teamSlug, { isKey: true }),
    domain: stored('text', domainName, { isKey: true }),
    /** Value of the TXT record, so that a published record remains valid. */
    value: stored('text', text.min(1).max(255)),
    created_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
    /** The time is trusted like `email_verified`. The next periodic check looks the record up. */
    verified_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
  }),
  table: 'team_domains',
  orderBy: 't.slug COLLATE "C", e.domain COLLATE "C"',
  subject: ['domain', 'team'],
})

import { z } from 'zod'
import { text } from '../../../../schema/core/validation.ts'
import { teamRules, teamSlug } from '../../../../schema/teams/rules.ts'
import { recordType } from '../record-type.ts'
import { optional, stored, storedElsewhere } from '../storage.ts'
import { instant, selectPicture } from '../values.ts'

export const teamRecord = recordType({
  schema: z.strictObject({
    type: z.literal('team'),
    slug: stored('text', teamSlug, { isKey: true }),
    name: stored('text', teamRules.name),
    timezone: stored('text', optional(teamRules.timezone)),
    gravatar_email: stored('text', optional(teamRules.gravatarEmail)),
    logo: storedElsewhere(optional(text), selectPicture('team')),
    created_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
    // A deleted team keeps its content until it is erased, and its invoices after that. The export includes both.
    deleted_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
    two_factor_required_at: stored('timestamptz', optional(instant), { keep: 'NULL' }),
  }),
  table: 'teams',
  orderBy: 'e.slug COLLATE "C"',
  subject: ['slug'],
  changedAt: 'updated_at',
})

import { z } from 'zod'
import { emailAddress } from '../../../../schema/core/validation.ts'
import { role } from '../../../../schema/members/role.ts'
import { teamSlug } from '../../../../schema/teams/rules.ts'
import { recordType } from '../record-type.ts'
import { optional, reference, stored } from '../storage.ts'
import { accessibleApps, instant } from '../values.ts'

export const memberRecord = recordType({
  schema: z.strictObject({
    type: z.literal('member'),
    team: reference('team', teamSlug, { isKey: true }),
    user: reference('user', emailAddress, { isKey: true }),
    role: stored('"Role"', role),
    accessible_app_ids: accessibleApps,
    joined_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
  }),
  table: 'members',
  orderBy: 't.slug COLLATE "C", e.joined_at, u.email COLLATE "C"',
  subject: ['user', 'team'],
})

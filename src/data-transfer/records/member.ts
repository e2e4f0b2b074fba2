import { z } from 'zod'
import { accessColumns, applicationAccess } from '../../../schema/apps/application.ts'
import { emailAddress } from '../../../schema/core/validation.ts'
import { role } from '../../../schema/members/role.ts'
import { teamSlug } from '../../../schema/teams/rules.ts'
import { recordType } from './record-type.ts'
import { optional, reference, stored, storedIn } from './storage.ts'
import { instant } from './values.ts'

export const member = recordType({
  schema: z.strictObject({
    type: z.literal('member'),
    team: reference('team', teamSlug, { isKey: true }),
    user: reference('user', emailAddress, { isKey: true }),
    role: stored('"Role"', role),
    accessible_app_ids: storedIn({ all_applications: 'boolean', applications: '"Application"[]' }, optional(applicationAccess), {
      toColumns(ids) {
        const { allApplications, applications } = accessColumns(ids ?? null)
        return { all_applications: allApplications, applications }
      },
      select: (alias) => `CASE WHEN NOT ${alias}.all_applications THEN to_json(${alias}.applications) END`,
    }),
    joined_at: stored('timestamptz', optional(instant), { keep: 'now()' }),
  }),
  table: 'members',
  orderBy: 't.slug COLLATE "C", e.joined_at, u.email COLLATE "C"',
  subject: ['user', 'team'],
})

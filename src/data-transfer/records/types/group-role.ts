import { z } from 'zod'
import { groupRoleMembers } from '../../../../schema/members/groups/rules.ts'
import { teamSlug } from '../../../../schema/teams/rules.ts'
import { recordType } from '../record-type.ts'
import { reference, stored } from '../storage.ts'
import { accessibleApps } from '../values.ts'

export const groupRoleRecord = recordType({
  schema: z.strictObject({
    type: z.literal('group_role'),
    team: reference('team', teamSlug, { isKey: true }),
    group: stored('text', groupRoleMembers.group, { isKey: true }),
    role: stored('"Role"', groupRoleMembers.role),
    accessible_app_ids: accessibleApps,
  }),
  table: 'group_roles',
  orderBy: 't.slug COLLATE "C", e."group" COLLATE "C"',
  subject: ['group', 'team'],
})

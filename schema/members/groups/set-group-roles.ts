import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { ApplicationType } from '../../apps/application.ts'
import { builder } from '../../builder/builder.ts'
import { change } from '../../core/audit/audit.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { recentOwner } from '../../core/requires.ts'
import { requireTeamAccess } from '../../core/team-access/team-access.ts'
import { parse } from '../../core/validation.ts'
import { TeamPayload } from '../../teams/mutations.ts'
import { RoleType } from '../role.ts'
import { applyToMembers } from './apply-groups.ts'
import { readDirectoryGroups, usersInDirectoryGroups } from './directory-groups.ts'
import { groupRolesOfTeams } from './group-role.ts'
import type { GroupRole } from './group-role.ts'
import { groupRoleMembers, maxGroupRoles } from './rules.ts'

const GroupRoleInput = builder.inputType('GroupRoleInput', {
  description: 'What the members of a group are in the team.',
  fields: (t) => ({
    group: t.string({ required: true, describedBy: 'GroupRole.group' }),
    role: t.field({ type: RoleType, required: true, description: 'The role of its members: member or billing.' }),
    accessibleAppIds: t.field({ type: [ApplicationType], description: 'The products; null grants all, an empty list none.' }),
  }),
})
const SetGroupRolesInput = builder.inputType('SetGroupRolesInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    groups: t.field({
      type: [GroupRoleInput],
      required: true,
      description: `All groups that have a role, at most ${maxGroupRoles}. They replace the present ones.`,
    }),
  }),
})

const groupRole = z.object({
  ...groupRoleMembers,
  accessibleAppIds: groupRoleMembers.accessibleAppIds.nullish().transform((ids) => ids ?? null),
})
const rules = z.object({
  groups: z
    .array(groupRole)
    .max(maxGroupRoles)
    .superRefine((groups, { addIssue }) => {
      const names = groups.map(({ group }) => group)
      names.forEach((name, index) => {
        if (names.indexOf(name) !== index)
          addIssue({ code: 'custom', path: [index, 'group'], message: 'The :attribute field has a duplicate value.', input: name })
      })
    }),
})

const deleteGroupRoles = statement<object, [teamId: string]>('delete_group_roles', 'DELETE FROM group_roles WHERE team_id = $1')
const insertGroupRoles = statement<object, [teamId: string, groups: string]>(
  'insert_group_roles',
  `INSERT INTO group_roles (team_id, "group", role, all_applications, applications)
   SELECT $1, g."group", g.role, g."accessibleAppIds" IS NULL,
     ARRAY(SELECT jsonb_array_elements_text(g."accessibleAppIds"))::"Application"[]
   FROM jsonb_to_recordset($2::jsonb) g("group" text, role "Role", "accessibleAppIds" jsonb)`,
)
const endManagement = statement<object, [teamId: string]>(
  'end_management_of_members',
  'UPDATE members SET managed = false WHERE team_id = $1 AND managed',
)

const byName = ({ group: one }: GroupRole, { group: other }: GroupRole) => (one < other ? -1 : 1)
const audited = (groups: readonly GroupRole[]) => ({
  groups: groups.map(({ group, role, accessibleAppIds }) => ({ group, role, accessibleAppIds })).toSorted(byName),
})

function replace(transaction: Transaction, teamId: string, groups: readonly GroupRole[]): void {
  transaction.defer(deleteGroupRoles(transaction, teamId))
  if (groups.length === 0) transaction.defer(endManagement(transaction, teamId))
  else transaction.defer(insertGroupRoles(transaction, teamId, JSON.stringify(groups)))
}

builder.mutationField('setGroupRoles', (t) =>
  t.field({
    description:
      'Says which groups of the team’s identity provider or directory decide the role and the products of their members. It counts immediately for ' +
      'members whose groups the directory states through SCIM, and for others from the next sign-in. Without any group, members keep what they have, and owners can change it again.',
    type: TeamPayload,
    requires: recentOwner,
    args: { input: t.arg({ type: SetGroupRolesInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id } = (await requireTeamAccess(context, input.team)).team
      const { groups } = parse(rules, input)
      return change(context, info, async (transaction) => {
        const [team, current] = await Promise.all([lockTeam(transaction, id), groupRolesOfTeams(transaction, [id])])
        const { slug, name } = team
        const [before, after] = [audited(current), audited(groups)]
        const isUnchanged = isDeepStrictEqual(before, after)
        if (!isUnchanged) {
          replace(transaction, id, groups)
          const inGroups = await usersInDirectoryGroups(transaction, id)
          await applyToMembers(transaction, context, team, await readDirectoryGroups(transaction, id, inGroups), 'member')
        }
        return { result: { team }, teamId: id, subject: slug, subjectName: name, before, after, isUnchanged }
      })
    },
  }),
)

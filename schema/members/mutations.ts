import { statement } from '../../prisma/statement/statement.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { ApplicationType, accessColumns, isSameAccess } from '../apps/application.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import { requireVersion, invalid } from '../core/errors.ts'
import type { FieldErrors } from '../core/errors.ts'
import { sendNotice } from '../core/notices/send-notice.ts'
import { sessionOnly } from '../core/requires.ts'
import { requirePerson, requirePrincipal, requireTeamAccess } from '../core/team-access/team-access.ts'
import { parse } from '../core/validation.ts'
import type { MemberTerms } from './groups/directory-groups.ts'
import { requireAnotherOwner } from './last-owner.ts'
import { parseMemberId, TeamMemberType } from './member.ts'
import { lockMember } from './queries.ts'
import type { MemberRow } from './queries.ts'
import { RoleType } from './role.ts'
import { authorizeMakingOwner, changeMembers, memberUpdateRules } from './rules.ts'

export const MemberPayload = payloadType<{ member: MemberRow }>('MemberPayload', {
  description: 'A member after the change, or before the removal.',
  fields: (t) => ({ member: t.expose('member', { type: TeamMemberType, description: 'The member.' }) }),
})

const UpdateMemberInput = builder.inputType('UpdateMemberInput', {
  description: 'At least one of `role` and `accessibleAppIds`; an absent field stays as it is.',
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    userId: t.id({ required: true, describedBy: 'Member.userId' }),
    role: t.field({ type: RoleType, description: 'The new role.' }),
    accessibleAppIds: t.field({ type: [ApplicationType], description: 'The products; null grants all, an empty list none.' }),
  }),
})
const RemoveMemberInput = builder.inputType('RemoveMemberInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    userId: t.id({ required: true, describedBy: 'Member.userId' }),
  }),
})
const LeaveTeamInput = builder.inputType('LeaveTeamInput', {
  fields: (t) => ({ team: t.string({ required: true, description: 'Slug of the team.' }) }),
})

builder.mutationFields((t) => ({
  updateMember: t.field({
    description: 'Changes a member’s role or product access.',
    type: MemberPayload,
    requires: changeMembers,
    args: { input: t.arg({ type: UpdateMemberInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      const { role, accessibleAppIds } = parse(memberUpdateRules, input)
      return change(context, info, async (transaction) => {
        const member = await lockMember(transaction, team.id, parseMemberId(input.userId, team))
        requireVersion(context, member.version)
        if (role === 'owner' && member.role !== 'owner') authorizeMakingOwner(context)
        if (role !== undefined && role !== 'owner' && member.role === 'owner') requireAnotherOwner(member)
        const before = { role: member.role, accessibleAppIds: member.accessibleAppIds }
        const after = {
          role: role ?? before.role,
          accessibleAppIds: accessibleAppIds === undefined ? before.accessibleAppIds : accessibleAppIds,
        }
        requireUnmanaged(member, after)
        const isUnchanged = after.role === before.role && isSameAccess(after.accessibleAppIds, before.accessibleAppIds)
        const isManaged = member.isManaged && after.role !== 'owner'
        const data = { role: after.role, ...accessColumns(after.accessibleAppIds), managed: isManaged }
        if (!isUnchanged) transaction.defer(updateRows(transaction, 'members', { teamId: team.id, userId: member.id }, data))
        if (after.role !== before.role)
          await sendNotice(transaction, context, member, 'role-changed', { team: team.name, slug: team.slug, role: after.role })
        const result = { member: { ...member, ...after, isManaged, version: null } }
        return { result, teamId: team.id, subject: member.id, subjectName: member.name, before, after, isUnchanged }
      })
    },
  }),
  removeMember: t.field({
    description: 'Removes a member from a team. The user’s personal tokens and grants lose access to the team immediately.',
    type: MemberPayload,
    requires: changeMembers,
    args: { input: t.arg({ type: RemoveMemberInput, required: true }) },
    resolve: (_, { input }, context, info) => removeMember(context, info, input.team, input.userId),
  }),
  leaveTeam: t.field({
    description:
      'Ends the user’s own membership, whatever their role. Their personal tokens and grants lose access to the team immediately.',
    type: MemberPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: LeaveTeamInput, required: true }) },
    resolve: (_, { input }, context, info) => removeMember(context, info, input.team, requirePerson(context).user.id),
  }),
}))

async function removeMember(context: Context, info: { fieldName: string }, slug: string, userId: string) {
  const { team } = await requireTeamAccess(context, slug)
  return change(context, info, async (transaction) => {
    const member = await lockMember(transaction, team.id, parseMemberId(userId, team))
    if (member.role === 'owner') requireAnotherOwner(member)
    transaction.defer(deleteMember(transaction, team.id, member.id))
    if (!isCaller(context, member.id)) await sendNotice(transaction, context, member, 'removed-from-team', { team: team.name })
    const before = { email: member.email, role: member.role, accessibleAppIds: member.accessibleAppIds }
    return { result: { member }, teamId: team.id, subject: member.id, subjectName: member.name, before }
  })
}

const deleteMember = statement<object, [teamId: string, userId: string]>(
  'delete_member',
  'DELETE FROM members WHERE team_id = $1 AND user_id = $2',
)

/** Returns true if the caller is the user with this identifier. */
export function isCaller(context: Context, userId: string): boolean {
  const principal = requirePrincipal(context)
  return principal.kind === 'user' && principal.user.id === userId
}

/**
 * Throws if a change would give another role or products to a member for whom groups decide these. The next sign-in or the directory would
 * undo it. Making such a member an owner is possible and ends the management.
 */
function requireUnmanaged(member: MemberTerms & { name: string; isManaged: boolean }, terms: MemberTerms): void {
  if (!member.isManaged || terms.role === 'owner') return
  const messages = [`${member.name} is managed by the team's identity provider.`]
  const errors: FieldErrors = {}
  if (terms.role !== member.role) errors.role = messages
  if (!isSameAccess(terms.accessibleAppIds, member.accessibleAppIds)) errors.accessibleAppIds = messages
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

import { change } from './audit.ts'
import { accessibleIds } from './application.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { MemberPayload, changeMembers, findMember } from './member.ts'
import { keepAnOwner, lockMember } from './ownership.ts'
import { reachTeam, sessionPerson } from './reach.ts'
import { sessionOnly } from './requires.ts'

const RemoveMemberInput = builder.inputType('RemoveMemberInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    userId: t.id({ required: true, description: 'The member’s user identifier.' }),
  }),
})
const LeaveTeamInput = builder.inputType('LeaveTeamInput', {
  fields: (t) => ({ team: t.string({ required: true, description: 'Slug of the team.' }) }),
})

builder.mutationFields((t) => ({
  removeMember: t.field({
    description: 'Removes a member from a team. Personal tokens and grants of the person lose the team at once.',
    type: MemberPayload,
    requires: changeMembers,
    args: { input: t.arg({ type: RemoveMemberInput, required: true }) },
    resolve: (_, { input }, context, info) => remove(context, info, input.team, input.userId),
  }),
  leaveTeam: t.field({
    description: 'Ends the person’s own membership, whatever their role. Their personal tokens and grants lose the team at once.',
    type: MemberPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: LeaveTeamInput, required: true }) },
    resolve: (_, { input }, context, info) => remove(context, info, input.team, sessionPerson(context).user.id),
  }),
}))

async function remove(context: Context, info: { fieldName: string }, slug: string, userId: string) {
  const { team } = await reachTeam(context, slug)
  const removed = await findMember(context, team.id, userId)
  return change(context, info, async (transaction) => {
    const member = await lockMember(transaction, team.id, removed.id)
    if (member.role === 'owner') await keepAnOwner(transaction, team.id)
    await transaction.member.delete({ where: { teamId_userId: { teamId: team.id, userId: member.userId } } })
    const before = { email: removed.email, role: member.role, accessibleAppIds: accessibleIds(member) }
    return { result: { member: removed }, teamId: team.id, subject: member.userId, subjectName: removed.name, before }
  })
}

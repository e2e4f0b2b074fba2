import { builder } from '../builder/builder.ts'
import { change } from '../core/audit/audit.ts'
import { sendNotice } from '../core/notices/send-notice.ts'
import { recentOwner } from '../core/requires.ts'
import { endSessionsInTeam } from '../core/team-access/ended-sessions.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { parseMemberId } from './member.ts'
import { isCaller, MemberPayload } from './mutations.ts'
import { lockMember } from './queries.ts'

const EndMemberSessionsInput = builder.inputType('EndMemberSessionsInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    userId: t.id({ required: true, describedBy: 'Member.userId' }),
  }),
})

builder.mutationField('endMemberSessions', (t) =>
  t.field({
    description:
      'Ends all sessions of a member in the team: none of them can open the team until the member signs in again in it. The account and the other teams of the member stay open, and so do personal tokens and grants. The member receives an email.',
    type: MemberPayload,
    requires: recentOwner,
    args: { input: t.arg({ type: EndMemberSessionsInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      return change(context, info, async (transaction) => {
        const member = await lockMember(transaction, team.id, parseMemberId(input.userId, team))
        endSessionsInTeam(transaction, member.id, team.id)
        const { name, slug } = team
        if (!isCaller(context, member.id)) await sendNotice(transaction, context, member, 'sessions-ended-in-team', { team: name, slug })
        return { result: { member }, teamId: team.id, subject: member.id, subjectName: member.name }
      })
    },
  }),
)

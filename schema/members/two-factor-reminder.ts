import { builder } from '../builder/builder.ts'
import { change } from '../core/audit/audit.ts'
import { invalid } from '../core/errors.ts'
import { sendNotice } from '../core/notices/send-notice.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { parseMemberId } from './member.ts'
import { MemberPayload } from './mutations.ts'
import { lockMember } from './queries.ts'
import { requireRemindable } from './reminder.ts'
import { changeMembers } from './rules.ts'
import { userHasTwoFactor } from './two-factor-requirement.ts'

const RemindOfTwoFactorInput = builder.inputType('RemindOfTwoFactorInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    userId: t.id({ required: true, describedBy: 'Member.userId' }),
  }),
})

builder.mutationField('remindOfTwoFactor', (t) =>
  t.field({
    description:
      'Sends a member an email that asks them to turn on two-factor authentication, at most once a day. Refused for a member who uses it, and for one whose email address is not verified.',
    type: MemberPayload,
    requires: changeMembers,
    args: { input: t.arg({ type: RemindOfTwoFactorInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await requireTeamAccess(context, input.team)
      return change(context, info, async (transaction) => {
        const member = await lockMember(transaction, team.id, parseMemberId(input.userId, team))
        const [factor] = await userHasTwoFactor(transaction, member.id)
        if (factor?.hasIt) throw invalid({ userId: ['This member already uses two-factor authentication.'] })
        await requireRemindable(transaction, context, member, { action: 'remindOfTwoFactor', policy: 'two-factor-reminders' })
        const { name, slug, twoFactorRequiredAt } = team
        const from = twoFactorRequiredAt === null ? null : new Date(twoFactorRequiredAt).toISOString()
        await sendNotice(transaction, context, member, 'two-factor-required', { team: name, slug, from })
        return { result: { member }, teamId: team.id, subject: member.id, subjectName: member.name }
      })
    },
  }),
)

import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { change } from '../../core/audit/audit.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { invalid } from '../../core/errors.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { isSignInOverdue } from '../../core/team-access/required-sign-in.ts'
import { requireTeamAccess } from '../../core/team-access/team-access.ts'
import { parseMemberId } from '../../members/member.ts'
import { MemberPayload } from '../../members/mutations.ts'
import { lockMember } from '../../members/queries.ts'
import { requireRemindable } from '../../members/reminder.ts'
import { changeMembers } from '../../members/rules.ts'

const RemindOfRequiredSignInInput = builder.inputType('RemindOfRequiredSignInInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    userId: t.id({ required: true, describedBy: 'Member.userId' }),
  }),
})

const requiredProvider = statement<{ name: string; at: string | null }, [providerId: string, userId: string]>(
  'provider_and_required_sign_in_of_member',
  `SELECT p.name, last_required_sign_in(p.team_id, p.id, u.id, u.email) AS at FROM identity_providers p, users u WHERE p.id = $1 AND u.id = $2`,
)

builder.mutationField('remindOfRequiredSignIn', (t) =>
  t.field({
    description:
      'Sends a member an email that asks them to sign in through the identity provider that the team requires, at most once a day. Refused for a member who has, whom the requirement does not concern, or whose email address is not verified.',
    type: MemberPayload,
    requires: changeMembers,
    args: { input: t.arg({ type: RemindOfRequiredSignInInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const access = await requireTeamAccess(context, input.team)
      return change(context, info, async (transaction) => {
        const member = await lockMember(transaction, access.team.id, parseMemberId(input.userId, access.team))
        const { id: teamId, name, slug, signInProviderId, signInRequiredAt } = await lockTeam(transaction, access.team.id)
        const [required] = signInProviderId === null ? [] : await requiredProvider(transaction, signInProviderId, member.id)
        if (!required || signInRequiredAt === null) throw invalid({ userId: ['The team does not require sign-in.'] })
        if (required.at === null) throw invalid({ userId: ['The requirement does not concern this member.'] })
        if (!isSignInOverdue(Number(required.at), context)) throw invalid({ userId: ['This member has already signed in there.'] })
        await requireRemindable(transaction, context, member, { action: 'remindOfRequiredSignIn', policy: 'sign-in-reminders' })
        const facts = { team: name, slug, provider: required.name, from: new Date(signInRequiredAt).toISOString() }
        await sendNotice(transaction, context, member, 'sign-in-required', facts)
        return { result: { member }, teamId, subject: member.id, subjectName: member.name }
      })
    },
  }),
)

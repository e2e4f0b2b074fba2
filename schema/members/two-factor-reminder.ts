import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { change } from '../core/audit.ts'
import { invalid, rateLimited } from '../core/errors.ts'
import type { RateLimit } from '../core/errors.ts'
import { sendNotice } from '../core/notices/send-notice.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { hasTwoFactor } from '../core/team-access/two-factor.ts'
import { memberIdOf } from './member.ts'
import { MemberPayload } from './mutations.ts'
import { lockMember } from './queries.ts'
import { changeMembers } from './rules.ts'

const RemindOfTwoFactorInput = builder.inputType('RemindOfTwoFactorInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    userId: t.id({ required: true, describedBy: 'Member.userId' }),
  }),
})

const limit: RateLimit = {
  policy: 'two-factor-reminders',
  quota: 1,
  windowSeconds: 86_400,
  counted: 'reminders to this member',
}

/** Whether a member can be reminded. Read with the team locked, so that parallel requests send one email. */
const reminded = statement<
  { hasIt: boolean; isDisabled: boolean; lastAt: string | null },
  [teamId: string, userId: string, subject: string, since: Date]
>(
  'reminded_of_two_factor',
  `SELECT ${hasTwoFactor('u.id')} AS "hasIt", u.disabled_at IS NOT NULL AS "isDisabled",
     (SELECT max(at) FROM audit_entries WHERE team_id = $1 AND action = 'remindOfTwoFactor' AND subject = $3 AND at > $4) AS "lastAt"
   FROM users u WHERE u.id = $2`,
)

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
        const member = await lockMember(transaction, team.id, memberIdOf(input.userId, team))
        const now = context.now().getTime()
        const since = new Date(now - limit.windowSeconds * 1000)
        const [found] = await reminded(transaction, team.id, member.id, member.id, since)
        if (found?.hasIt) throw invalid({ userId: ['This member already uses two-factor authentication.'] })
        if (found?.isDisabled || !member.emailVerified)
          throw invalid({ userId: ['This member has no verified email address, or a disabled account.'] })
        if (found?.lastAt) throw rateLimited(limit, (Date.parse(found.lastAt) - since.getTime()) / 1000)
        const { name, slug, twoFactorRequiredAt } = team
        const from = twoFactorRequiredAt === null ? null : new Date(twoFactorRequiredAt).toISOString()
        await sendNotice(transaction, context, member, 'two-factor-required', { team: name, slug, from })
        return { result: { member }, teamId: team.id, subject: member.id, subjectName: member.name }
      })
    },
  }),
)

import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { change } from '../core/audit/audit.ts'
import { invalid } from '../core/errors.ts'
import { lockTeam } from '../core/database/locks.ts'
import { sendNotice } from '../core/notices/send-notice.ts'
import { recentOwner } from '../core/requires.ts'
import { requirePrincipal, requireTeamAccess } from '../core/team-access/team-access.ts'
import { hasTwoFactor } from '../core/team-access/two-factor.ts'
import { parse } from '../core/validation.ts'
import { laterThan, TeamPayload } from '../teams/mutations.ts'

const SetTwoFactorRequirementInput = builder.inputType('SetTwoFactorRequirementInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    graceDays: t.int({
      description: 'Days until members without it lose access, 0 to 90; null to stop requiring it. Absent, nothing changes.',
    }),
  }),
})
const rules = z.object({ graceDays: z.int().min(0).max(90).nullish() })

export const userHasTwoFactor = statement<{ hasIt: boolean }, [userId: string]>(
  'user_has_two_factor',
  `SELECT ${hasTwoFactor('u.id')} AS "hasIt" FROM users u WHERE u.id = $1`,
)

/** Selects the members who receive an email about the requirement: those with an enabled account and without two-factor authentication. */
const membersToNotify = statement<{ id: string; emailVerified: boolean }, [teamId: string]>(
  'members_to_tell_about_two_factor',
  `SELECT u.id, u.email_verified AS "emailVerified" FROM members r JOIN users u ON u.id = r.user_id
   WHERE r.team_id = $1 AND NOT ${hasTwoFactor('u.id')} AND u.disabled_at IS NULL ORDER BY u.id`,
)

/** Returns the time from which it is required: without a number of days, the current value. */
const computeRequiredAt = (days: number | null | undefined, now: Date, current: string | null): string | null =>
  days === undefined ? current : days === null ? null : new Date(now.getTime() + days * 86_400_000).toISOString()

builder.mutationField('setTwoFactorRequirement', (t) =>
  t.field({
    description:
      'Requires two-factor authentication of all members after a grace period, or stops requiring it. Members without it receive an email. When the period ends they have no access until they turn it on. An owner who requires it must use it.',
    type: TeamPayload,
    requires: recentOwner,
    args: { input: t.arg({ type: SetTwoFactorRequirementInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id } = (await requireTeamAccess(context, input.team)).team
      const { graceDays } = parse(rules, input)
      const caller = requirePrincipal(context)
      return change(context, info, async (transaction) => {
        const [current, [own]] = await Promise.all([
          lockTeam(transaction, id),
          caller.kind === 'user' ? userHasTwoFactor(transaction, caller.user.id) : [],
        ])
        if (graceDays != null && own?.hasIt === false)
          throw invalid({ graceDays: ['Turn on two-factor authentication for your own account first.'] })
        const now = context.now()
        const { slug, name, updatedAt } = current
        const requiredAt = current.twoFactorRequiredAt && new Date(current.twoFactorRequiredAt).toISOString()
        const twoFactorRequiredAt = computeRequiredAt(graceDays, now, requiredAt)
        const before = { twoFactorRequiredAt: requiredAt }
        const isUnchanged = twoFactorRequiredAt === before.twoFactorRequiredAt
        const data = { twoFactorRequiredAt, updatedAt: laterThan(now, updatedAt) }
        if (!isUnchanged) transaction.defer(updateRows(transaction, 'teams', { id }, data))
        if (!isUnchanged && twoFactorRequiredAt !== null)
          for (const member of await membersToNotify(transaction, id))
            await sendNotice(transaction, context, member, 'two-factor-required', { team: name, slug, from: twoFactorRequiredAt })
        const result = { team: isUnchanged ? current : { ...current, ...data } }
        return { result, teamId: id, subject: slug, subjectName: name, before, after: { twoFactorRequiredAt }, isUnchanged }
      })
    },
  }),
)

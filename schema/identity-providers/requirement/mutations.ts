import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { builder } from '../../builder/builder.ts'
import { change } from '../../core/audit/audit.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { invalid } from '../../core/errors.ts'
import { parseIdentifier } from '../../core/global-id.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { isSignInOverdue } from '../../core/team-access/required-sign-in.ts'
import { requireTeamAccess } from '../../core/team-access/team-access.ts'
import { isIdentifier, parse, refused } from '../../core/validation.ts'
import { countVerifiedDomains } from '../../domains/verified.ts'
import { parseMemberId } from '../../members/member.ts'
import { MemberPayload } from '../../members/mutations.ts'
import { lockMember } from '../../members/queries.ts'
import { requireRemindable } from '../../members/reminder.ts'
import { changeMembers } from '../../members/rules.ts'
import { laterThan, TeamPayload } from '../../teams/mutations.ts'
import { writeProviders } from '../rules.ts'
import { wouldLoseAccess } from './own-sign-in.ts'

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
        if (required.at === null) throw invalid({ userId: ['The requirement does not apply to this member.'] })
        if (!isSignInOverdue(Number(required.at), context)) throw invalid({ userId: ['This member has already signed in there.'] })
        await requireRemindable(transaction, context, member, { action: 'remindOfRequiredSignIn', policy: 'sign-in-reminders' })
        const facts = { team: name, slug, provider: required.name, from: new Date(signInRequiredAt).toISOString() }
        await sendNotice(transaction, context, member, 'sign-in-required', facts)
        return { result: { member }, teamId, subject: member.id, subjectName: member.name }
      })
    },
  }),
)

const SetSignInRequirementInput = builder.inputType('SetSignInRequirementInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    providerId: t.id({ description: 'The identifier of the identity provider; null to stop requiring it. Absent, it stays as it is.' }),
    from: t.field({
      type: 'DateTime',
      description: 'From when on it is required. Default: the present time of a requirement, now for a new one.',
    }),
  }),
})
const rules = z.object({ providerId: z.string().nullish() })

interface Provider {
  id: string
  name: string
  isTested: boolean
  isDisabled: boolean
}
const providersOfTeam = statement<Provider, [teamId: string]>(
  'providers_to_require',
  `SELECT id, name, tested_at IS NOT NULL AS "isTested", disabled_at IS NOT NULL AS "isDisabled" FROM identity_providers WHERE team_id = $1`,
)

/** Selects the members who must sign in through a provider. */
const concerned = statement<{ id: string; emailVerified: boolean }, [teamId: string, providerId: string]>(
  'members_of_required_sign_in',
  `SELECT u.id, u.email_verified AS "emailVerified" FROM members m JOIN users u ON u.id = m.user_id
   WHERE m.team_id = $1 AND u.disabled_at IS NULL AND last_required_sign_in($1, $2, u.id, u.email) IS NOT NULL ORDER BY u.id`,
)

/** Throws unless the team can require sign-in through the provider. */
function requireUsable(provider: Provider | undefined, verifiedDomains: number): Provider {
  const refusal = (message: string) => refused({ providerId: [message] })
  if (!provider) throw refusal('The selected :attribute is invalid.')
  if (provider.isDisabled) throw refusal('An operator of this service has disabled the identity provider.')
  if (!provider.isTested) throw refusal('Sign in through the identity provider as a test first.')
  if (verifiedDomains === 0)
    throw refusal('Verify a domain first. Sign-in is required for members with an email address in a verified domain.')
  return provider
}

builder.mutationField('setSignInRequirement', (t) =>
  t.field({
    description:
      'Requires members to sign in through an identity provider of the team, or stops requiring it. It concerns members with an email address of a verified domain, and those who have signed in there before; they receive an email. The provider must have been tested. An owner whom it concerns must have signed in there in this session.',
    type: TeamPayload,
    requires: writeProviders,
    args: { input: t.arg({ type: SetSignInRequirementInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const access = await requireTeamAccess(context, input.team)
      const { id } = access.team
      const { providerId: globalId } = parse(rules, input)
      return change(context, info, async (transaction) => {
        const current = await lockTeam(transaction, id)
        const providers = await providersOfTeam(transaction, id)
        const previous = providers.find((each) => each.id === current.signInProviderId)
        const selectedId = globalId === undefined ? current.signInProviderId : globalId && parseIdentifier(globalId, ['IdentityProvider'])
        const next =
          selectedId === null
            ? null
            : requireUsable(
                isIdentifier(selectedId) ? providers.find((each) => each.id === selectedId) : undefined,
                await countVerifiedDomains(transaction, id),
              )
        if (next && (await wouldLoseAccess(transaction, context, access, next.id)))
          throw refused({
            providerId: [`Sign in through ${next.name} in this browser first. Otherwise you would lose access to the team.`],
          })
        const now = context.now()
        const requiredAt = current.signInRequiredAt && new Date(current.signInRequiredAt).toISOString()
        const kept = input.from == null && current.signInProviderId !== null ? requiredAt : null
        const from = next && (kept ?? new Date(Math.max(new Date(input.from ?? now).getTime(), now.getTime())).toISOString())
        const { slug, name } = current
        const before = { signInProvider: previous?.name ?? null, signInRequiredAt: requiredAt }
        const after = { signInProvider: next?.name ?? null, signInRequiredAt: from }
        const data = { signInProviderId: next?.id ?? null, signInRequiredAt: from, updatedAt: laterThan(now, current.updatedAt) }
        // A change of only the provider or the time keeps this instant, so that passkeys added since do not count as older.
        const setAt =
          next === null ? { signInRequirementSetAt: null } : current.signInProviderId === null ? { signInRequirementSetAt: now } : {}
        const isUnchanged = (next?.id ?? null) === current.signInProviderId && from === requiredAt
        if (!isUnchanged) transaction.defer(updateRows(transaction, 'teams', { id }, { ...data, ...setAt }))
        const facts = { team: name, slug }
        if (!isUnchanged && next && from !== null)
          for (const member of await concerned(transaction, id, next.id))
            await sendNotice(transaction, context, member, 'sign-in-required', { ...facts, provider: next.name, from })
        else if (!isUnchanged && previous)
          for (const member of await concerned(transaction, id, previous.id))
            await sendNotice(transaction, context, member, 'sign-in-not-required', { ...facts, provider: previous.name })
        const result = { team: isUnchanged ? current : { ...current, ...data } }
        return { result, teamId: id, subject: slug, subjectName: name, before, after, isUnchanged }
      })
    },
  }),
)

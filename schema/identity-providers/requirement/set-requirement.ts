import { z } from 'zod'
import { statement } from '../../../prisma/statement/statement.ts'
import { updateRows } from '../../../prisma/statement/write-row.ts'
import { builder } from '../../builder/builder.ts'
import { change } from '../../core/audit/audit.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { parseIdentifier } from '../../core/global-id.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { requireTeamAccess } from '../../core/team-access/team-access.ts'
import { isIdentifier, parse, refused } from '../../core/validation.ts'
import { countVerifiedDomains } from '../../domains/verified.ts'
import { laterThan, TeamPayload } from '../../teams/mutations.ts'
import { writeProviders } from '../rules.ts'
import { wouldLoseAccess } from './own-sign-in.ts'

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
  if (verifiedDomains === 0) throw refusal('Verify a domain first. Sign-in is required of members with an address of it.')
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
      const { providerId: given } = parse(rules, input)
      return change(context, info, async (transaction) => {
        const present = await lockTeam(transaction, id)
        const providers = await providersOfTeam(transaction, id)
        const previous = providers.find((each) => each.id === present.signInProviderId)
        const wanted = given === undefined ? present.signInProviderId : given && parseIdentifier(given, ['IdentityProvider'])
        const next =
          wanted === null
            ? null
            : requireUsable(
                isIdentifier(wanted) ? providers.find((each) => each.id === wanted) : undefined,
                await countVerifiedDomains(transaction, id),
              )
        if (next && (await wouldLoseAccess(transaction, context, access, next.id)))
          throw refused({
            providerId: [`Sign in through ${next.name} in this browser first. Otherwise you would lose access to the team.`],
          })
        const now = context.now()
        const requiredAt = present.signInRequiredAt && new Date(present.signInRequiredAt).toISOString()
        const kept = input.from == null && present.signInProviderId !== null ? requiredAt : null
        const from = next && (kept ?? new Date(Math.max(new Date(input.from ?? now).getTime(), now.getTime())).toISOString())
        const { slug, name } = present
        const before = { signInProvider: previous?.name ?? null, signInRequiredAt: requiredAt }
        const after = { signInProvider: next?.name ?? null, signInRequiredAt: from }
        const data = { signInProviderId: next?.id ?? null, signInRequiredAt: from, updatedAt: laterThan(now, present.updatedAt) }
        // A change of only the provider or the time keeps this instant, so that passkeys added since do not count as older.
        const setAt =
          next === null ? { signInRequirementSetAt: null } : present.signInProviderId === null ? { signInRequirementSetAt: now } : {}
        const isUnchanged = (next?.id ?? null) === present.signInProviderId && from === requiredAt
        if (!isUnchanged) transaction.defer(updateRows(transaction, 'teams', { id }, { ...data, ...setAt }))
        const facts = { team: name, slug }
        if (!isUnchanged && next && from !== null)
          for (const member of await concerned(transaction, id, next.id))
            await sendNotice(transaction, context, member, 'sign-in-required', { ...facts, provider: next.name, from })
        else if (!isUnchanged && previous)
          for (const member of await concerned(transaction, id, previous.id))
            await sendNotice(transaction, context, member, 'sign-in-not-required', { ...facts, provider: previous.name })
        const result = { team: isUnchanged ? present : { ...present, ...data } }
        return { result, teamId: id, subject: slug, subjectName: name, before, after, isUnchanged }
      })
    },
  }),
)

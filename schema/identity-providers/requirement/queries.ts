import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { loadBatched } from '../../lists/batch.ts'
import { PersonType } from '../../teams/person.ts'
import { TeamType } from '../../teams/team.ts'
import type { Requirement } from '../../core/requires.ts'
import { IdentityProviderType } from '../provider.ts'
import { readProviders } from '../rules.ts'

const SignInRequirementType = builder
  .objectRef<{ provider: typeof IdentityProviderType.$inferType; from: Date | string }>('SignInRequirement')
  .implement({
    description: 'A sign-in that a team requires of its members.',
    fields: (t) => ({
      provider: t.expose('provider', { type: IdentityProviderType, description: 'The identity provider.' }),
      from: t.expose('from', { type: 'DateTime', description: 'From when on it is required.' }),
    }),
  })

/** How many of the members who have not signed in are listed. */
const maxListed = 100

const readMembers: Requirement = { scopes: ['acct:team:members:read'], roles: ['owner'] }

const withoutSignIn = statement<{ teamId: string; id: string; name: string }, [teamIds: readonly string[], since: Date]>(
  'members_without_required_sign_in',
  `SELECT t.id AS "teamId", p.id, p.name FROM teams t CROSS JOIN LATERAL (
     SELECT u.id, u.name FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.team_id = t.id AND last_required_sign_in(t.id, t.sign_in_provider_id, u.id, u.email) <= extract(epoch FROM $2::timestamptz)
     ORDER BY u.name, u.id LIMIT ${maxListed}) p
   WHERE t.id = ANY ($1::uuid[]) AND t.sign_in_provider_id IS NOT NULL ORDER BY p.name, p.id`,
)

builder.objectFields(TeamType, (t) => ({
  signInRequirement: t.field({
    description: 'The sign-in through an identity provider that the team requires of its members, now or later; null for none.',
    type: SignInRequirementType,
    nullable: true,
    requires: readProviders,
    resolve: async ({ signInProviderId, signInRequiredAt }, _, { database: { prisma } }) => {
      if (signInProviderId === null || signInRequiredAt === null) return null
      const provider = await prisma.identityProvider.findUnique({ where: { id: signInProviderId } })
      return provider && { provider, from: signInRequiredAt }
    },
  }),
  membersWithoutSignIn: t.field({
    description: `Members who must sign in through the provider and have not done so, or whose last sign-in there no longer counts. At most ${maxListed}, by name.`,
    type: [PersonType],
    requires: readMembers,
    complexity: { field: 1, multiplier: maxListed },
    resolve: async ({ id }, _, context) => {
      const since = new Date(context.now().getTime() - context.providerSignInDays * 86_400_000)
      const load = async (ids: string[]) => Map.groupBy(await withoutSignIn(context.database.pool, ids, since), ({ teamId }) => teamId)
      return (await loadBatched(context, 'members without required sign-in', id, load)) ?? []
    },
  }),
}))

import { builder } from '../../builder/builder.ts'
import { TeamType } from '../../teams/team.ts'
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

builder.objectField(TeamType, 'signInRequirement', (t) =>
  t.field({
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
)

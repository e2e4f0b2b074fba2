import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isIdentifier } from '../core/validation.ts'
import { loadBatched } from '../lists/batch.ts'
import { TeamType } from '../teams/team.ts'
import { buildSignInUrl } from './addresses.ts'
import { providersOfTeams } from './own-provider.ts'
import { IdentityProviderType } from './provider.ts'
import { maxProviders, readProviders } from './rules.ts'

builder.objectFields(TeamType, (t) => ({
  identityProviders: t.field({
    description: `The identity providers of the team, of which it can have ${maxProviders}.`,
    type: [IdentityProviderType],
    requires: readProviders,
    complexity: { field: 1, multiplier: maxProviders },
    resolve: async ({ id }, _, context) => {
      const load = async (ids: string[]) => Map.groupBy(await providersOfTeams(context.database, ids), ({ teamId }) => teamId)
      return (await loadBatched(context, 'identity providers of teams', id, load)) ?? []
    },
  }),
  identityProvider: t.field({
    description: 'One identity provider of the team.',
    type: IdentityProviderType,
    requires: readProviders,
    args: { id: t.arg.id({ required: true, description: 'The identifier of the identity provider.' }) },
    resolve: async (team, args, { database: { prisma } }) => {
      const id = parseIdentifier(args.id, ['IdentityProvider'], team)
      const provider = isIdentifier(id) ? await prisma.identityProvider.findUnique({ where: { id, teamId: team.id } }) : null
      if (!provider) throw notFound()
      return provider
    },
  }),
  signInUrl: t.string({
    description: 'The URL at which members sign in through the identity providers of the team.',
    requires: readProviders,
    resolve: ({ slug }, _, context) => buildSignInUrl(context, slug),
  }),
}))

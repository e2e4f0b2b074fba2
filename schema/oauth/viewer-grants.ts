import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { seeOwnGrants } from '../core/requires.ts'
import { isIdentifier } from '../core/validation.ts'
import { ViewerType } from '../viewer/viewer.ts'
import { GrantType, liveGrants, newestFirst } from './grant.ts'
import { identifierOf } from '../core/global-id.ts'

builder.objectFields(ViewerType, (t) => ({
  grants: t.prismaField({
    description: 'The live grants of the user, newest first.',
    type: [GrantType],
    requires: seeOwnGrants,
    resolve: (query, viewer, _, { database: { prisma }, now }) =>
      viewer.kind === 'user'
        ? prisma.oAuthGrant.findMany({ ...query, where: { ...liveGrants(now()), userId: viewer.user.id }, orderBy: newestFirst })
        : [],
  }),
  grant: t.prismaField({
    description: 'One live grant of the user.',
    type: GrantType,
    requires: seeOwnGrants,
    args: { id: t.arg.id({ required: true, description: 'The grant’s identifier.' }) },
    resolve: async (query, viewer, args, { database: { prisma }, now }) => {
      const id = identifierOf(args.id, ['Grant'])
      if (viewer.kind !== 'user' || !isIdentifier(id)) throw notFound()
      const grant = await prisma.oAuthGrant.findFirst({ ...query, where: { ...liveGrants(now()), id, userId: viewer.user.id } })
      if (!grant) throw notFound()
      return grant
    },
  }),
}))

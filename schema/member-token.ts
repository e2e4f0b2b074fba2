import type { Prisma } from '../prisma/generated/client/client.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import { about } from './description.ts'
import { notFound } from './errors.ts'
import { listComplexity, pageArguments, pageType, slice } from './pagination.ts'
import { reachTeam } from './reach.ts'
import { cutFromTeam, watchTeam } from './requires.ts'
import { TeamType } from './team.ts'
import { liveTokens, tokenHint } from './token.ts'
import { isIdentifier } from './validation.ts'

// Personal tokens as the owners of a team see them, which they reach through the person they belong to.

const TokenOwnerType = builder.objectRef<{ id: string; name: string }>('TokenOwner').implement({
  description: about('AccessToken.userId'),
  fields: (t) => ({
    id: t.exposeID('id', { description: about('User.id') }),
    name: t.exposeString('name', { description: about('User.name') }),
  }),
})

const owner = { user: { select: { id: true, name: true } } } as const

const MemberTokenType = builder.prismaObject('AccessToken', {
  variant: 'MemberToken',
  include: owner,
  fields: (t) => ({
    id: t.exposeID('id'),
    user: t.field({ description: about('AccessToken.userId'), type: TokenOwnerType, resolve: ({ user }) => user ?? missing() }),
    name: t.exposeString('name'),
    hint: t.string({ description: 'The prefix and the last four characters of the value.', resolve: tokenHint }),
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
  }),
})

function missing(): never {
  throw new Error('a personal token without a person')
}

/** Personal tokens that reach a team now, as src/authenticate.ts decides with each request. */
const reaching = (teamId: string, now: Date): Prisma.AccessTokenWhereInput => ({
  kind: 'personal',
  ...liveTokens(now),
  NOT: { cutTeamIds: { has: teamId } },
  user: { disabledAt: null, memberships: { some: { teamId } } },
})

builder.objectField(TeamType, 'personalTokens', (t) =>
  t.field({
    description: 'Metadata of the members’ personal tokens that reach the team at present, newest first.',
    type: pageType('MemberTokenPage', MemberTokenType),
    complexity: listComplexity,
    requires: watchTeam,
    args: pageArguments,
    resolve: async (team, args, { database: { prisma }, now }) => {
      const { page, perPage, offset } = slice(args)
      const where = reaching(team.id, now())
      const orderBy = [{ createdAt: 'desc' }, { id: 'desc' }] satisfies Prisma.AccessTokenOrderByWithRelationInput[]
      const [total, nodes] = await Promise.all([
        prisma.accessToken.count({ where }),
        prisma.accessToken.findMany({ where, include: owner, orderBy, skip: offset, take: perPage }),
      ])
      return { nodes, total, page, perPage }
    },
  }),
)

const CutTeamFromTokenInput = builder.inputType('CutTeamFromTokenInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    tokenId: t.id({ required: true, description: 'The token’s identifier.' }),
  }),
})
const CutTeamFromTokenPayload = builder.objectRef<{ token: typeof MemberTokenType.$inferType }>('CutTeamFromTokenPayload').implement({
  description: 'A token after the change.',
  fields: (t) => ({ token: t.expose('token', { type: MemberTokenType, description: 'The token.' }) }),
})

builder.mutationField('cutTeamFromToken', (t) =>
  t.field({
    description: 'Ends the access to the team of a member’s personal token. What else it reaches stays, and so does the member.',
    type: CutTeamFromTokenPayload,
    requires: cutFromTeam,
    args: { input: t.arg({ type: CutTeamFromTokenInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await reachTeam(context, input.team)
      const id = input.tokenId
      if (!isIdentifier(id)) throw notFound()
      return change(context, info, async (transaction) => {
        const token = await transaction.accessToken.findFirst({ where: { id, ...reaching(team.id, context.now()) }, include: owner })
        if (!token) throw notFound()
        // Appended by the database itself, and only where it is not: teams that are cut at the same time are cut all, each once.
        const { count } = await transaction.accessToken.updateMany({
          where: { id, NOT: { cutTeamIds: { has: team.id } } },
          data: { cutTeamIds: { push: team.id } },
        })
        if (count === 0) throw notFound('cut or deleted meanwhile')
        return { result: { token }, teamId: team.id, subject: id, subjectName: token.name, after: { userId: token.userId, cut: team.slug } }
      })
    },
  }),
)

import type { AccessToken } from '../prisma/generated/client/client.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { about } from './description.ts'
import { notFound } from './errors.ts'
import { listComplexity, pageArguments, pageType, slice } from './pagination.ts'
import { operatorOnly } from './requires.ts'
import { tokenPrefix } from './secret.ts'
import { TeamType } from './team.ts'
import { UserType } from './user.ts'
import { isIdentifier } from './validation.ts'

/** How a list shows a token: its prefix and, where they are known, its last four characters. */
export const tokenHint = ({ kind, lastFour }: Pick<AccessToken, 'kind' | 'lastFour'>) => `${tokenPrefix[kind]}…${lastFour ?? ''}`

const TokenCreatorType = builder.objectRef<{ id: string; name: string }>('TokenCreator').implement({
  description: about('AccessToken.createdBy'),
  fields: (t) => ({
    id: t.exposeID('id', { description: about('User.id') }),
    name: t.exposeString('name', { description: about('User.name') }),
  }),
})

export const TeamTokenType = builder.prismaObject('AccessToken', {
  variant: 'TeamToken',
  include: { createdBy: { select: { id: true, name: true } } },
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    hint: t.string({ description: 'The prefix and the last four characters of the value.', resolve: tokenHint }),
    scopes: t.exposeStringList('scopes'),
    createdBy: t.field({
      type: TokenCreatorType,
      nullable: true,
      description: about('AccessToken.createdBy'),
      resolve: (token) => token.createdBy,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    replacedAt: t.expose('replacedAt', { type: 'DateTime', nullable: true }),
  }),
})

export const PersonalTokenType = builder.prismaObject('AccessToken', {
  variant: 'PersonalToken',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    hint: t.string({ description: 'The prefix and the last four characters of the value.', resolve: tokenHint }),
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    replacedAt: t.expose('replacedAt', { type: 'DateTime', nullable: true }),
    cutTeams: t.stringList({
      description: 'Slugs of the teams that the token no longer reaches, since an owner there cut it off.',
      resolve: async ({ cutTeamIds }, _, { database: { prisma } }) => {
        if (cutTeamIds.length === 0) return []
        const teams = await prisma.team.findMany({ where: { id: { in: cutTeamIds } }, select: { slug: true }, orderBy: { slug: 'asc' } })
        return teams.map(({ slug }) => slug)
      },
    }),
  }),
})

export const PersonalTokenPage = pageType('PersonalTokenPage', PersonalTokenType)

/** Neither revoked nor expired. */
export const liveTokens = (now: Date) => ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] })

const requires = { scopes: ['acct:team:tokens:read'], roles: ['owner'] } as const
const creator = { createdBy: { select: { id: true, name: true } } } as const

/** Arguments of a list of tokens. */
export const tokenArguments = builder.args((t) => ({
  ...pageArguments,
  live: t.boolean({ description: 'True for those alone that work at present.' }),
}))

/** A page of the tokens of a team or a person, newest first. */
export async function findTokens(
  { database: { prisma }, now }: Context,
  owner: { teamId: string } | { userId: string },
  { live, ...asked }: Parameters<typeof slice>[0] & { live?: boolean | null },
) {
  const { page, perPage, offset } = slice(asked)
  const where = { ...owner, ...(live && liveTokens(now())) }
  const [total, nodes] = await Promise.all([
    prisma.accessToken.count({ where }),
    prisma.accessToken.findMany({
      where,
      include: creator,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: offset,
      take: perPage,
    }),
  ])
  return { nodes, total, page, perPage }
}

builder.objectFields(TeamType, (t) => ({
  tokens: t.field({
    description: 'Metadata of all access tokens of the team, newest first. Values are never returned.',
    type: pageType('TeamTokenPage', TeamTokenType),
    complexity: listComplexity,
    requires,
    args: tokenArguments,
    resolve: ({ id: teamId }, args, context) => findTokens(context, { teamId }, args),
  }),
  token: t.field({
    description: 'Metadata of one team access token.',
    type: TeamTokenType,
    requires,
    args: { id: t.arg.id({ required: true, description: 'The token’s identifier.' }) },
    resolve: async (team, { id }, { database: { prisma } }) => {
      const token = isIdentifier(id) ? await prisma.accessToken.findFirst({ where: { id, teamId: team.id }, include: creator }) : null
      if (!token) throw notFound()
      return token
    },
  }),
}))

builder.objectField(UserType, 'tokens', (t) =>
  t.field({
    description: 'Metadata of the person’s personal tokens, newest first. For operators; people see their own at `viewer`.',
    type: PersonalTokenPage,
    complexity: listComplexity,
    requires: operatorOnly,
    args: tokenArguments,
    resolve: ({ id: userId }, args, context) => findTokens(context, { userId }, args),
  }),
)

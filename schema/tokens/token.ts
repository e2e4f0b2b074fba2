import type { AccessToken, Prisma } from '../../prisma/generated/client/client.ts'
import { PersonType, personColumns } from '../teams/person.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { pageType } from '../builder/pagination.ts'
import { isWithinOverlap, tokenPrefix } from './token-value.ts'
import { loadTeamSlugs } from './team-slugs.ts'

/** Returns the prefix and, if stored, the last four characters of the value, by which users recognize a token in a list. */
export const tokenHint = ({ kind, lastFour }: Pick<AccessToken, 'kind' | 'lastFour'>) => `${tokenPrefix[kind]}…${lastFour ?? ''}`
export const hintField = { description: 'The prefix and the last four characters of the value.', resolve: tokenHint }

const PreviousTokenValueType = builder.objectRef<{ hint: string; expiresAt: Date }>('PreviousTokenValue').implement({
  description: 'The value that the last rotation replaced, while it still works.',
  fields: (t) => ({
    hint: t.exposeString('hint', { description: hintField.description }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', describedBy: 'AccessToken.previousExpiresAt' }),
  }),
})

/** The field of the previous value of a token; null if it no longer works. */
export const previousValueField = {
  type: PreviousTokenValueType,
  nullable: true,
  description: 'The value that the last rotation replaced, while it still works, or null.',
  resolve: ({ kind, revokedAt, previousLastFour, previousExpiresAt }: AccessToken, _: unknown, { now }: Context) =>
    revokedAt === null && isWithinOverlap(previousExpiresAt, now())
      ? { hint: tokenHint({ kind, lastFour: previousLastFour }), expiresAt: previousExpiresAt }
      : null,
} as const

/** Relations that are loaded with a token. */
export const tokenParts = { createdBy: personColumns } as const satisfies Prisma.AccessTokenInclude
export type TokenWithParts = Prisma.AccessTokenGetPayload<{ include: typeof tokenParts }>

// `createdBy` is a field and not a relation of Pothos: the list is a documented route, and a relation would run another statement.
export const TeamTokenType = builder.prismaObject('AccessToken', {
  variant: 'TeamToken',
  include: tokenParts,
  fields: (t) => ({
    tokenId: t.exposeID('id'),
    name: t.exposeString('name'),
    hint: t.string(hintField),
    scopes: t.exposeStringList('scopes'),
    createdBy: t.field({
      type: PersonType,
      nullable: true,
      describedBy: 'AccessToken.createdBy',
      resolve: (token) => token.createdBy,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    previousValue: t.field(previousValueField),
  }),
})

export const PersonalTokenType = builder.prismaObject('AccessToken', {
  variant: 'PersonalToken',
  fields: (t) => ({
    tokenId: t.exposeID('id'),
    name: t.exposeString('name'),
    hint: t.string(hintField),
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    previousValue: t.field(previousValueField),
    revokedTeams: t.stringList({
      description: 'Slugs of the teams for which an owner has revoked the token’s access.',
      resolve: ({ revokedTeamIds }, _, context) => loadTeamSlugs(context, revokedTeamIds),
    }),
    teams: t.stringList({
      nullable: true,
      description: 'Slugs of the teams that the token is limited to; null for all teams of the user.',
      resolve: ({ teamIds }, _, context) => (teamIds.length === 0 ? null : loadTeamSlugs(context, teamIds)),
    }),
  }),
})

export const PersonalTokenPage = pageType('PersonalTokenPage', PersonalTokenType)

/** A token of either kind. */
export const AccessTokenType = builder.unionType('AccessToken', {
  description: 'A personal or a team access token.',
  types: [TeamTokenType, PersonalTokenType],
  resolveType: (token) => (token.kind === 'team' ? TeamTokenType : PersonalTokenType),
})

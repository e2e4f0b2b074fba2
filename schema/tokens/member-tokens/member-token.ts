import { builder } from '../../builder/builder.ts'
import { pageType } from '../../builder/pagination.ts'
import { searchPattern } from '../../builder/search.ts'
import { seeTeamAccess } from '../../core/requires.ts'
import { connectionType } from '../../lists/connection.ts'
import { listFields } from '../../lists/list-fields.ts'
import { PersonType } from '../../teams/person.ts'
import { TeamType } from '../../teams/team.ts'
import { credentialFilterArguments, credentialFilters, personDescription, personFilters } from '../credential-filters.ts'
import { memberTokenList, memberTokenParts } from './member-token-list.ts'
import { newestFirst, TokenOrderType } from '../queries.ts'
import { hintField, previousValueField } from '../token.ts'

// These are personal tokens of the members of a team, as its owners see them.

export const MemberTokenType = builder.prismaObject('AccessToken', {
  variant: 'MemberToken',
  include: memberTokenParts,
  fields: (t) => ({
    tokenId: t.exposeID('id'),
    user: t.field({
      type: PersonType,
      describedBy: 'AccessToken.userId',
      resolve: ({ user }) => {
        // The column is nullable in the database only because team tokens have no user.
        if (!user) throw new Error('a personal token has no user')
        return user
      },
    }),
    name: t.exposeString('name'),
    hint: t.string(hintField),
    previousValue: t.field(previousValueField),
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
  }),
})

builder.objectFields(TeamType, (t) =>
  listFields(t, 'personalTokens', {
    description: 'Metadata of the live personal tokens of members that can access the team.',
    page: pageType('MemberTokenPage', MemberTokenType),
    connection: connectionType('MemberToken', MemberTokenType),
    requires: seeTeamAccess,
    list: memberTokenList,
    args: builder.args((arg) => ({
      ...credentialFilterArguments('tokens'),
      search: arg.string({ description: 'Only tokens whose name contains this text, in upper or lower case.' }),
      person: arg.string({ description: personDescription('tokens') }),
      orderBy: arg.field({ type: TokenOrderType, description: 'The order; default by creation, latest first.' }),
    })),
    query({ search, person, orderBy, ...args }) {
      const filters = { live: true, search: searchPattern(search), ...personFilters(person), ...credentialFilters(args) } as const
      return { filters, orderBy: orderBy ?? newestFirst }
    },
  }),
)

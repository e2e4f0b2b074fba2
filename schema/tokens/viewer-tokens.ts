import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { listFields } from '../lists/list-fields.ts'
import { requirePerson } from '../core/team-access/team-access.ts'
import { sessionOnly } from '../core/requires.ts'
import { isIdentifier } from '../core/validation.ts'
import { ViewerType } from '../viewer/viewer.ts'
import { personalTokens } from './queries.ts'
import { PersonalTokenType } from './token.ts'
import { identifierOf } from '../core/global-id.ts'

builder.objectFields(ViewerType, (t) => ({
  ...listFields(t, 'tokens', {
    ...personalTokens,
    description: 'The user’s personal tokens. For account-site sessions.',
    requires: sessionOnly,
    owner: (_, context) => requirePerson(context).user.id,
  }),
  token: t.prismaField({
    description: 'One of the user’s personal tokens. For account-site sessions.',
    type: PersonalTokenType,
    requires: sessionOnly,
    args: { id: t.arg.id({ required: true, description: 'The token’s identifier.' }) },
    resolve: async (query, viewer, args, { database }) => {
      const id = identifierOf(args.id, ['PersonalToken'])
      const userId = viewer.kind === 'user' && isIdentifier(id) ? viewer.user.id : null
      const token = userId && (await database.prisma.accessToken.findUnique({ ...query, where: { id, userId } }))
      if (!token) throw notFound()
      return token
    },
  }),
}))

import { builder } from '../builder/builder.ts'
import { listFields } from '../lists/list-fields.ts'
import { sessionOnly } from '../core/requires.ts'
import { ofViewer, ownObject } from '../viewer/own-object.ts'
import { ViewerType } from '../viewer/viewer.ts'
import { personalTokens } from './queries.ts'
import { PersonalTokenType } from './token.ts'

builder.objectFields(ViewerType, (t) => ({
  ...listFields(t, 'tokens', {
    ...personalTokens,
    description: 'The user’s personal tokens. For account-site sessions.',
    requires: sessionOnly,
    owner: ofViewer,
  }),
  token: ownObject(t, {
    description: 'One of the user’s personal tokens. For account-site sessions.',
    requires: sessionOnly,
    type: PersonalTokenType,
    noun: 'token',
    find: ({ database: { prisma } }, id, userId) => prisma.accessToken.findUnique({ where: { id, userId } }),
  }),
}))

import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { seeOwnGrants } from '../core/requires.ts'
import { requirePerson } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { listFields } from '../lists/list-fields.ts'
import { ViewerType } from '../viewer/viewer.ts'
import { findLiveGrant } from './find-grants.ts'
import { GrantType } from './grant.ts'
import { userGrantList } from './grant-list.ts'
import { grants } from './queries.ts'
import { identifierOf } from '../core/global-id.ts'

builder.objectFields(ViewerType, (t) => ({
  ...listFields(t, 'grants', {
    ...grants,
    description: 'The live grants of the user.',
    requires: seeOwnGrants,
    list: userGrantList,
    owner: (_, context) => requirePerson(context).user.id,
  }),
  grant: t.field({
    description: 'One live grant of the user.',
    type: GrantType,
    requires: seeOwnGrants,
    args: { id: t.arg.id({ required: true, description: 'The grant’s identifier.' }) },
    resolve: async (viewer, args, { database: { pool }, now }) => {
      const id = identifierOf(args.id, ['Grant'])
      if (viewer.kind !== 'user' || !isIdentifier(id)) throw notFound()
      const grant = await findLiveGrant(pool, id, now(), viewer.user.id)
      if (!grant) throw notFound()
      return grant
    },
  }),
}))

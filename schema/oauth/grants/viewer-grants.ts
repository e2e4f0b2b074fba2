import { builder } from '../../builder/builder.ts'
import { seeOwnGrants } from '../../core/requires.ts'
import { listFields } from '../../lists/list-fields.ts'
import { ofViewer, ownObject } from '../../viewer/own-object.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { findLiveGrant } from './find-grants.ts'
import { GrantType } from './grant.ts'
import { userGrantList } from './grant-list.ts'
import { grants } from '../queries.ts'

builder.objectFields(ViewerType, (t) => ({
  ...listFields(t, 'grants', {
    ...grants,
    description: 'The live grants of the user.',
    requires: seeOwnGrants,
    list: userGrantList,
    owner: ofViewer,
  }),
  grant: ownObject(t, {
    description: 'One live grant of the user.',
    requires: seeOwnGrants,
    type: GrantType,
    noun: 'grant',
    find: ({ database: { pool }, now }, id, userId) => findLiveGrant(pool, id, now(), userId),
  }),
}))

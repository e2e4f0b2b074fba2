import { z } from 'zod'
import { leaveTeams, solelyOwnedTeams } from './deletion.ts'
import type { SolelyOwnedTeam } from './deletion.ts'
import { change } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { erasureAfter, requestDeletion } from './pending-deletion.ts'
import { unauthenticated } from '../../core/errors.ts'
import { slugOfTeam } from '../../core/global-id.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { recentSession, sessionOnly } from '../../core/requires.ts'
import { defineList } from '../../lists/list.ts'
import { wholeListFields } from '../../lists/whole-list-fields.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { UserPayload } from '../user.ts'
import { parse, text } from '../../core/validation.ts'

const DeleteAccountInput = builder.inputType('DeleteAccountInput', {
  fields: (t) => ({
    deleteTeams: t.stringList({
      description: 'Slugs or global ids of solely owned teams without other members, which are deleted together with the account.',
    }),
  }),
})
const deletionRules = z.object({ deleteTeams: z.array(text.transform(slugOfTeam)).nullish() })

// The type is not `Team`, whose fields check the access at the start of the request: teams created since, in another browser, count too.
export const SolelyOwnedTeamType = builder.objectRef<SolelyOwnedTeam>('SolelyOwnedTeam').implement({
  description: 'A team of which the user is the only owner with an enabled account.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'Slug of the team.' }),
    name: t.exposeString('name', { description: 'Name of the team.' }),
    hasOtherMembers: t.exposeBoolean('hasOtherMembers', {
      description: 'Whether the team has other members. If it has none, it can be deleted together with the account.',
    }),
  }),
})

const solelyOwnedTeamList = defineList<SolelyOwnedTeam, SolelyOwnedTeam, 'slug', object>({
  ...solelyOwnedTeams,
  name: 'solely owned teams',
  id: 'r.id',
  orders: { slug: { keys: [['r.slug', 'text']] } },
  filters: {},
  toNode: (row) => row,
})

builder.objectFields(ViewerType, (t) =>
  wholeListFields(t, 'solelyOwnedTeams', {
    description:
      'The teams of which the user is the only owner. Before the account can be deleted, each needs another owner or is deleted, too.',
    type: SolelyOwnedTeamType,
    requires: sessionOnly,
    list: solelyOwnedTeamList,
    owner: (context) => requirePerson(context).user.id,
    query: { filters: {}, orderBy: { field: 'slug', direction: 'asc' } },
  }),
)

builder.mutationFields((t) => ({
  deleteAccount: t.field({
    description:
      'Deletes the account of the signed-in user with its memberships and tokens: it is disabled immediately and erased after 14 days, unless the user signs in before. Refused while it is the last owner of a team that is not deleted with it.',
    type: UserPayload,
    requires: recentSession,
    args: { input: t.arg({ type: DeleteAccountInput }) },
    resolve: (_, { input }, context, info) => {
      const { deleteTeams } = parse(deletionRules, input ?? {})
      return change(context, info, async (transaction) => {
        const { id } = requirePerson(context).user
        const left = await leaveTeams(transaction, context, id, deleteTeams ?? [])
        if (!left) throw unauthenticated()
        const { user, endedSessions } = left
        const disabledAt = await requestDeletion(transaction, context, id)
        const until = erasureAfter(disabledAt).toISOString()
        await sendNotice(transaction, context, user, 'account-deleted', { until })
        return {
          result: { user: { ...user, disabledAt } },
          subject: id,
          before: { email: user.email, name: user.name },
          after: { until },
          endedSessions,
        }
      })
    },
  }),
}))

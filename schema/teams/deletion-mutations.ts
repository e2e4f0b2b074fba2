import { change } from '../core/audit/audit.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { invalid } from '../core/errors.ts'
import { recentSession } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { lockTeam } from '../core/database/locks.ts'
import { DeletedTeamType } from './deleted-team.ts'
import { deleteLockedTeam } from './deletion.ts'
import type { DeletedTeam } from './deletion.ts'

const DeleteTeamPayload = payloadType<{ team: DeletedTeam }>('DeleteTeamPayload', {
  description: 'The deleted team.',
  fields: (t) => ({ team: t.expose('team', { type: DeletedTeamType, description: 'The team.' }) }),
})

const DeleteTeamInput = builder.inputType('DeleteTeamInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    confirmSlug: t.string({ required: true, description: 'The slug again, as typed by the user to confirm the deletion.' }),
  }),
})

builder.mutationField('deleteTeam', (t) =>
  t.field({
    description:
      'Deletes a team: its tokens, clients and grants are rejected from the next request on, its members lose access, and its pending invitations are revoked. Its owners receive an email. An owner or an operator can restore it until `restorableUntil`; after that only its invoices remain.',
    type: DeleteTeamPayload,
    requires: { ...recentSession, roles: ['owner'] },
    args: { input: t.arg({ type: DeleteTeamInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id, slug } = (await requireTeamAccess(context, input.team)).team
      if (input.confirmSlug.trim() !== slug) throw invalid({ confirmSlug: ['The slug does not match.'] })
      return change(context, info, async (transaction) => {
        await lockTeam(transaction, id)
        const team = await deleteLockedTeam(transaction, context, id)
        return { result: { team }, teamId: id, subject: slug, subjectName: team.name }
      })
    },
  }),
)

import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { withDates } from '../builder/with-dates.ts'
import { change } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import { lockTeam } from '../core/database/locks.ts'
import { invalid } from '../core/errors.ts'
import { recentOwner, sessionOnly } from '../core/requires.ts'
import { requirePrincipal, requireTeamAccess } from '../core/team-access/team-access.ts'
import type { ListQuery } from '../lists/declaration.ts'
import { defineList } from '../lists/list.ts'
import type { List } from '../lists/list.ts'
import { wholeListFields } from '../lists/whole-list-fields.ts'
import { restorableAt, restorableUntil, deleteLockedTeam } from './team-deletion.ts'
import type { DeletedTeam } from './team-deletion.ts'

// The type is not `Team`, whose fields are for teams that can be accessed.
export const DeletedTeamType = builder.objectRef<DeletedTeam>('DeletedTeam').implement({
  description: 'A deleted team that can still be restored.',
  fields: (t) => ({
    slug: t.exposeString('slug', { describedBy: 'Team.slug' }),
    name: t.exposeString('name', { describedBy: 'Team.name' }),
    deletedAt: t.field({ type: 'DateTime', description: 'When the team was deleted.', resolve: getDeletedAt }),
    restorableUntil: t.field({
      type: 'DateTime',
      description: 'Until when the team can be restored. After that, only its invoices remain.',
      resolve: (team, _, context) => restorableUntil(getDeletedAt(team), context),
    }),
  }),
})

function getDeletedAt({ slug, deletedAt }: DeletedTeam): Date {
  if (!deletedAt) throw new Error(`the team ${slug} is not deleted`)
  return deletedAt
}

interface StoredTeam extends Omit<DeletedTeam, 'deletedAt'> {
  id: string
  deletedAt: string
}

interface Restorable {
  /** The number of days in which a team can be restored. `listOfCaller` always sets it, so that no other teams are listed. */
  restorableDays?: number
}

const deletedTeams = (name: string, rows: (owner: string) => string) =>
  defineList<StoredTeam, DeletedTeam, 'slug', Restorable>({
    name,
    rows,
    id: 'r.id',
    columns: 'r.id, r.slug, r.name, r.deleted_at AS "deletedAt"',
    orders: { slug: { keys: [['r.slug', 'text']] } },
    filters: { restorableDays: ({ now, value }) => restorableAt(now, value) },
    toNode: (row) => withDates(row, ['deletedAt']),
  })
const ownedTeams = deletedTeams(
  'deleted teams of a user',
  (user) => `FROM members m JOIN teams r ON r.id = m.team_id WHERE m.user_id = ${user} AND m.role = 'owner'`,
)
const allTeams = deletedTeams('deleted teams', (owner) => `FROM teams r WHERE ${owner} IS NOT NULL`)
const restorable = ({ deletedTeamDays }: Context, query: ListQuery<'slug', Restorable>) => ({
  ...query,
  filters: { restorableDays: deletedTeamDays },
})
const listFor = (context: Context) => (requirePrincipal(context).kind === 'operator' ? allTeams : ownedTeams)

const listOfCaller: List<DeletedTeam, 'slug', Restorable> = {
  ...ownedTeams,
  page: (context, owner, query, ...rest) => listFor(context).page(context, owner, restorable(context, query), ...rest),
  connection: (context, owner, query, args) => listFor(context).connection(context, owner, restorable(context, query), args),
}

/** The owner of the list of all teams. */
const nobody = '00000000-0000-0000-0000-000000000000'

builder.queryFields((t) =>
  wholeListFields(t, 'deletedTeams', {
    description: 'The deleted teams that the caller can still restore, by slug: those that they own, or for operators all.',
    type: DeletedTeamType,
    requires: sessionOnly,
    list: listOfCaller,
    owner(context) {
      const principal = requirePrincipal(context)
      return principal.kind === 'user' ? principal.user.id : nobody
    },
    query: { filters: {}, orderBy: { field: 'slug', direction: 'asc' } },
  }),
)

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
    requires: recentOwner,
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

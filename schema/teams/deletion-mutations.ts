import { z } from 'zod'
import { statement } from '../../prisma/statement.ts'
import { updateRows } from '../../prisma/write-row.ts'
import { change } from '../core/audit.ts'
import { builder } from '../builder/builder.ts'
import type { AccessibleTeam } from '../core/context.ts'
import { invalid } from '../core/errors.ts'
import { operatorOnly, recentSession } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access.ts'
import { lockAccount, lockTeam } from '../core/locks.ts'
import { emailAddress, parse, text } from '../core/validation.ts'
import { deleteLockedTeam, restorableAfter, restorableTeams, restorableUntil } from './deletion.ts'
import type { DeletedTeam } from './deletion.ts'
import { TeamPayload } from './mutations.ts'

// Not `Team`, whose fields are for teams that can be accessed.
const DeletedTeamType = builder.objectRef<DeletedTeam>('DeletedTeam').implement({
  description: 'A deleted team that can still be restored.',
  fields: (t) => ({
    slug: t.exposeString('slug', { describedBy: 'Team.slug' }),
    name: t.exposeString('name', { describedBy: 'Team.name' }),
    deletedAt: t.field({ type: 'DateTime', description: 'When the team was deleted.', resolve: deletedAtOf }),
    restorableUntil: t.field({
      type: 'DateTime',
      description: 'Until when an operator can restore the team. After that, only its invoices remain.',
      resolve: (team) => restorableUntil(deletedAtOf(team)),
    }),
  }),
})

function deletedAtOf({ slug, deletedAt }: DeletedTeam): Date {
  if (!deletedAt) throw new Error(`the team ${slug} is not deleted`)
  return deletedAt
}

const DeleteTeamPayload = builder.objectRef<{ team: DeletedTeam }>('DeleteTeamPayload').implement({
  description: 'The deleted team.',
  fields: (t) => ({ team: t.expose('team', { type: DeletedTeamType, description: 'The team.' }) }),
})

const DeleteTeamInput = builder.inputType('DeleteTeamInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    confirmSlug: t.string({ required: true, description: 'The slug again, as typed by the user to confirm the deletion.' }),
  }),
})
const RestoreTeamInput = builder.inputType('RestoreTeamInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the deleted team.' }),
    owner: t.string({
      description: 'E-mail address of the account that becomes an owner. Required if the accounts of all owners were deleted.',
    }),
  }),
})
const restoreRules = z.object({ team: text, owner: emailAddress.nullish() })

const lockTeamBySlug = statement<object, [slug: string]>('lock_team_by_slug', 'SELECT 1 FROM teams WHERE slug = $1 FOR UPDATE')

const restorableTeam = statement<AccessibleTeam & { hasOwner: boolean }, [slug: string, deletedAfter: Date]>(
  'restorable_team',
  `SELECT id, slug, name, timezone, gravatar_email AS "gravatarEmail", created_at AS "createdAt", updated_at AS "updatedAt",
     EXISTS (SELECT FROM members WHERE team_id = t.id AND role = 'owner') AS "hasOwner"
   FROM teams t WHERE slug = $1 AND deleted_at > $2 AND erased_at IS NULL`,
)

const joinAsOwner = statement<object, [teamId: string, userId: string, at: Date]>(
  'join_as_owner',
  `INSERT INTO members (team_id, user_id, role, joined_at) VALUES ($1, $2, 'owner', $3)
   ON CONFLICT (team_id, user_id) DO UPDATE SET role = 'owner'`,
)

builder.queryField('deletedTeams', (t) =>
  t.field({
    description: 'The deleted teams that can still be restored, by slug. For operators.',
    type: [DeletedTeamType],
    requires: operatorOnly,
    resolve: (_, __, { database: { prisma }, now }) => prisma.team.findMany({ where: restorableTeams(now()), orderBy: { slug: 'asc' } }),
  }),
)

builder.mutationFields((t) => ({
  deleteTeam: t.field({
    description:
      'Deletes a team: its tokens and grants are rejected from the next request on, its members lose access, and its pending invitations are revoked. Its owners receive a mail. An operator can restore it for 14 days; after that only its invoices remain.',
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
  restoreTeam: t.field({
    description: 'Restores a deleted team with its members, tokens and grants. Its invitations stay revoked. For operators.',
    type: TeamPayload,
    requires: operatorOnly,
    args: { input: t.arg({ type: RestoreTeamInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { team: slug, owner: email } = parse(restoreRules, input)
      return change(context, info, async (transaction) => {
        const now = context.now()
        // Read under the lock: a concurrent request may have restored the team, or the clean-up job erased it.
        const [, [restorable], owner] = await Promise.all([
          lockTeamBySlug(transaction, slug),
          restorableTeam(transaction, slug, restorableAfter(now)),
          email ? lockAccount(transaction, { email }) : null,
        ])
        if (!restorable) throw invalid({ team: ['There is no deleted team with this slug that can be restored.'] })
        if (email && !owner) throw invalid({ owner: ['The selected owner is invalid.'] })
        const { hasOwner, ...team } = restorable
        if (!hasOwner && !owner)
          throw invalid({ owner: ['The accounts of all owners were deleted: name an account that becomes the owner.'] })
        const { id } = team
        if (owner) transaction.defer(joinAsOwner(transaction, id, owner.id, now))
        transaction.defer(updateRows(transaction, 'teams', { id }, { deletedAt: null, updatedAt: now }))
        const result = { team: { ...team, updatedAt: now } }
        return { result, teamId: id, subject: slug, subjectName: team.name, ...(owner && { after: { owner: owner.email } }) }
      })
    },
  }),
}))

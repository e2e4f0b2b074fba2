import { builder } from '../builder/builder.ts'
import { sessionOnly } from '../core/requires.ts'
import { requirePrincipal } from '../core/team-access.ts'
import { restorableTeams, restorableUntil } from './deletion.ts'
import type { DeletedTeam } from './deletion.ts'

// Not `Team`, whose fields are for teams that can be accessed.
export const DeletedTeamType = builder.objectRef<DeletedTeam>('DeletedTeam').implement({
  description: 'A deleted team that can still be restored.',
  fields: (t) => ({
    slug: t.exposeString('slug', { describedBy: 'Team.slug' }),
    name: t.exposeString('name', { describedBy: 'Team.name' }),
    deletedAt: t.field({ type: 'DateTime', description: 'When the team was deleted.', resolve: deletedAtOf }),
    restorableUntil: t.field({
      type: 'DateTime',
      description: 'Until when the team can be restored. After that, only its invoices remain.',
      resolve: (team) => restorableUntil(deletedAtOf(team)),
    }),
  }),
})

function deletedAtOf({ slug, deletedAt }: DeletedTeam): Date {
  if (!deletedAt) throw new Error(`the team ${slug} is not deleted`)
  return deletedAt
}

builder.queryField('deletedTeams', (t) =>
  t.field({
    description: 'The deleted teams that the caller can still restore, by slug: those that they own, or for operators all.',
    type: [DeletedTeamType],
    requires: sessionOnly,
    resolve: (_, __, context) => {
      const principal = requirePrincipal(context)
      const owned = principal.kind === 'user' && { members: { some: { userId: principal.user.id, role: 'owner' as const } } }
      const where = { ...restorableTeams(context.now()), ...owned }
      return context.database.prisma.team.findMany({ where, orderBy: { slug: 'asc' } })
    },
  }),
)

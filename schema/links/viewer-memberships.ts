import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { loadBatched } from '../lists/batch.ts'
import { TeamMemberType } from '../members/member.ts'
import { membershipsOfUser, withUserId } from '../members/queries.ts'
import { TeamType } from '../teams/team.ts'
import { teamConnection, teamPages } from '../teams/teams.ts'
import { ViewerType } from '../viewer/viewer.ts'

/** Returns the membership of a user in a team. One statement reads those in all teams that are selected at the same time. */
function findMembership(context: Context, teamId: string, userId: string) {
  const load = async (teamIds: string[]) => {
    const rows = await membershipsOfUser(context.database.pool, teamIds, userId)
    return new Map(rows.map((row) => [row.teamId, withUserId(row)]))
  }
  return loadBatched(context, `memberships of ${userId}`, teamId, load)
}

builder.objectField(TeamType, 'viewerMembership', (t) =>
  t.field({
    description: 'The caller as a member of the team, with their role and products; null for a team token.',
    type: TeamMemberType,
    nullable: true,
    requires: { scopes: ['acct:team:members:read'] },
    resolve: async ({ id }, _, context) => {
      const viewer = requirePrincipal(context)
      return viewer.kind === 'user' ? ((await findMembership(context, id, viewer.user.id)) ?? null) : null
    },
  }),
)

// `Team.viewerMembership` is the role of the viewer in each.
builder.objectFields(ViewerType, (t) => ({ teams: teamPages(t), teamsConnection: teamConnection(t) }))

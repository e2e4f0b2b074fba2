import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { applicationAccess, ApplicationType } from '../../apps/application.ts'
import { builder } from '../../builder/builder.ts'
import { seeSignInSettings } from '../../core/requires.ts'
import { loadBatched } from '../../lists/batch.ts'
import { TeamType } from '../../teams/team.ts'
import { RoleType } from '../role.ts'
import { maxGroupRoles } from './rules.ts'

/** The role and the products that a group of an identity provider or directory gives its members. */
export interface GroupRole {
  /** The name of the group, compared exactly. */
  group: string
  role: Role
  /** Null for all products. */
  accessibleAppIds: Application[] | null
}

export const GroupRoleType = builder.objectRef<GroupRole>('GroupRole').implement({
  describedBy: 'GroupRole',
  fields: (t) => ({
    group: t.exposeString('group', { describedBy: 'GroupRole.group' }),
    role: t.expose('role', { type: RoleType, describedBy: 'GroupRole.role' }),
    accessibleAppIds: t.expose('accessibleAppIds', {
      type: [ApplicationType],
      nullable: true,
      extensions: { rule: applicationAccess },
      description: 'The products that its members may use; null means all of the team’s products.',
    }),
  }),
})

/** Selects the group roles of teams, by the name of the group. */
export const groupRolesOfTeams = statement<GroupRole & { teamId: string }, [teamIds: readonly string[]]>(
  'group_roles_of_teams',
  `SELECT g.team_id AS "teamId", g."group", g.role, CASE WHEN NOT g.all_applications THEN to_json(g.applications) END AS "accessibleAppIds"
   FROM group_roles g WHERE g.team_id = ANY ($1::uuid[]) ORDER BY g."group" COLLATE "C"`,
)

builder.objectField(TeamType, 'groupRoles', (t) =>
  t.field({
    description: `The groups of the team’s identity provider or directory that decide the role and the products of their members, of which there can be ${maxGroupRoles}.`,
    type: [GroupRoleType],
    requires: seeSignInSettings,
    complexity: { field: 1, multiplier: maxGroupRoles },
    resolve: async ({ id }, _, context) => {
      const load = async (ids: string[]) => Map.groupBy(await groupRolesOfTeams(context.database.pool, ids), ({ teamId }) => teamId)
      return (await loadBatched(context, 'group roles of teams', id, load)) ?? []
    },
  }),
)

import { builder } from '../builder/builder.ts'
import { pageType } from '../builder/pagination.ts'
import { anyContains, searchPattern } from '../builder/search.ts'
import { seeSignInSettings } from '../core/requires.ts'
import { loadBatched } from '../lists/batch.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { defineList } from '../lists/list.ts'
import { orderByType } from '../lists/order-by.ts'
import { groupRolesOfTeams, GroupRoleType } from '../members/groups/group-role.ts'
import { TeamType } from '../teams/team.ts'

/** A group that the directory of a team has sent. Instants are text. */
interface DirectoryGroup {
  id: string
  teamId: string
  displayName: string
  externalId: string | null
  memberCount: number
  updatedAt: string
}

interface GroupFilters {
  hasRole?: boolean | null | undefined
  /** Pattern for the name. */
  search?: string | null
}
type GroupOrder = 'name' | 'updated'

const groups = defineList<DirectoryGroup, DirectoryGroup, GroupOrder, GroupFilters>({
  name: 'directory_groups',
  rows: (team) => `FROM scim_groups r WHERE r.team_id = ${team}`,
  id: 'r.id',
  columns: `r.id, r.team_id AS "teamId", r.display_name AS "displayName", r.external_id AS "externalId",
    (SELECT count(*)::int FROM scim_group_members gm WHERE gm.group_id = r.id) AS "memberCount", r.updated_at AS "updatedAt"`,
  orders: { name: { keys: [['lower(r.display_name)', 'text']] }, updated: { keys: [['r.updated_at', 'timestamptz']] } },
  filters: {
    hasRole: () => 'EXISTS (SELECT FROM group_roles g WHERE g.team_id = r.team_id AND g."group" IN (r.display_name, r.external_id))',
    search: ({ value }) => anyContains(['r.display_name'], value),
  },
  toNode: (row) => row,
})

const GroupOrderType = orderByType('DirectoryGroupOrder', 'groups of the directory', {
  name: 'The name, in upper or lower case.',
  updated: 'When the directory last changed the group or its members.',
} satisfies Record<GroupOrder, string>)

const DirectoryGroupType = builder.objectRef<DirectoryGroup>('DirectoryGroup').implement({
  description: 'A group that the directory of the team has sent through SCIM.',
  fields: (t) => ({
    resourceId: t.exposeID('id', { describedBy: 'ScimGroup.id' }),
    displayName: t.exposeString('displayName', { describedBy: 'ScimGroup.displayName' }),
    externalId: t.exposeString('externalId', { nullable: true, describedBy: 'ScimGroup.externalId' }),
    memberCount: t.exposeInt('memberCount', { description: 'How many users of the directory are in it.' }),
    groupRoles: t.field({
      type: [GroupRoleType],
      description:
        'What its members are in the team: the entries of `Team.groupRoles` for its name and for its identifier in the directory.',
      complexity: { field: 1, multiplier: 2 },
      async resolve({ teamId, displayName, externalId }, _, context) {
        const load = async (ids: string[]) => Map.groupBy(await groupRolesOfTeams(context.database.pool, ids), (row) => row.teamId)
        const roles = (await loadBatched(context, 'group roles of teams', teamId, load)) ?? []
        return roles.filter(({ group }) => group === displayName || group === externalId)
      },
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', describedBy: 'ScimGroup.updatedAt' }),
  }),
})

builder.objectFields(TeamType, (t) =>
  listFields(t, 'directoryGroups', {
    description: 'The groups that the directory of the team has sent through SCIM.',
    requires: seeSignInSettings,
    page: pageType('DirectoryGroupPage', DirectoryGroupType),
    connection: connectionType('DirectoryGroup', DirectoryGroupType),
    list: groups,
    args: builder.args((t) => ({
      hasRole: t.boolean({ description: 'True for groups that decide the role of their members, false for the others.' }),
      search: t.string({ description: 'Only groups whose name contains this text, in upper or lower case.' }),
      orderBy: t.field({ type: GroupOrderType, description: 'The order; default by name.' }),
    })),
    query: ({ hasRole, search, orderBy }) => ({
      filters: { hasRole, search: searchPattern(search) },
      orderBy: orderBy ?? { field: 'name', direction: 'asc' },
    }),
  }),
)

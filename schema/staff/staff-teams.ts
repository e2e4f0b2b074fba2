import { query } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { anyContains, searchPattern } from '../builder/search.ts'
import type { Context } from '../core/context.ts'
import type { AccessibleTeam } from '../core/principals.ts'
import { notFound } from '../core/errors.ts'
import { slugOfTeam } from '../core/global-id.ts'
import { isSlug } from '../core/team-access/lazy-teams.ts'
import { accessibleTeamColumns } from '../core/team-access/team-columns.ts'
import { loadById } from '../lists/batch.ts'
import { defineList } from '../lists/list.ts'
import { listFields } from '../lists/list-fields.ts'
import { TeamType } from '../teams/team.ts'
import { TeamConnectionType, TeamOrderType, TeamPageType } from '../teams/teams.ts'
import type { TeamOrder } from '../teams/teams.ts'
import { markListedTeam, markNamedTeam } from './audit-reading.ts'
import { selectAllRows, searchCost, StaffType } from './staff.ts'

interface TeamFilters {
  search?: string | null
  deleted?: boolean
  live?: boolean
}

const teamList = defineList<AccessibleTeam, AccessibleTeam, TeamOrder, TeamFilters>({
  name: 'staff teams',
  rows: selectAllRows('teams'),
  id: 'r.id',
  columns: accessibleTeamColumns,
  orders: {
    slug: { keys: [['r.slug', 'text']] },
    name: { keys: [['lower(r.name)', 'text']] },
    created: { keys: [['r.created_at', 'timestamptz']] },
  },
  filters: {
    search: ({ value }) => anyContains(['r.slug', 'r.name'], value),
    deleted: () => 'r.deleted_at IS NOT NULL',
    live: () => 'r.deleted_at IS NULL',
  },
  toNode: markListedTeam,
})

builder.objectFields(StaffType, (t) => ({
  ...listFields(t, 'teams', {
    description: 'All teams, by default by slug. Of a team, staff can read its properties and members; its other fields need a membership.',
    page: TeamPageType,
    connection: TeamConnectionType,
    list: teamList,
    cost: searchCost,
    args: builder.args((t) => ({
      search: t.string({ description: 'Only teams whose slug or name contains this text, in upper or lower case.' }),
      isDeleted: t.boolean({ description: 'True for deleted teams instead of the others.' }),
      orderBy: t.field({ type: TeamOrderType, description: 'The order; default by slug.' }),
    })),
    query: ({ search, isDeleted, orderBy }) => ({
      filters: { search: searchPattern(search), ...(isDeleted ? { deleted: true } : { live: true }) },
      orderBy: orderBy ?? { field: 'slug', direction: 'asc' },
    }),
  }),
  team: t.field({
    description: 'One team, deleted or not.',
    type: TeamType,
    args: { slug: t.arg.string({ required: true, description: 'The team’s public slug.' }) },
    resolve: async (_, args, { database }) => {
      const slug = slugOfTeam(args.slug)
      const text = `SELECT ${accessibleTeamColumns} FROM teams WHERE slug = $1`
      const [team] = isSlug(slug) ? await query<AccessibleTeam>(database.pool, text, [slug]) : []
      if (!team) throw notFound()
      return markNamedTeam(team)
    },
  }),
}))

/** Loads a team, together with all others that fields of the request need at the same time; null if there is none. */
export async function findTeamById(context: Context, id: string): Promise<AccessibleTeam | null> {
  const text = `SELECT ${accessibleTeamColumns} FROM teams WHERE id = ANY ($1::uuid[])`
  const team = await loadById(context, 'staff team', id, (ids) => query<AccessibleTeam>(context.database.pool, text, [ids]))
  return team && markListedTeam(team)
}

import type { Role } from '../../prisma/generated/client/enums.ts'
import { query } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { buildGrouping } from '../teams/group-by.ts'
import { declareTotals } from '../teams/team-totals.ts'
import type { TotalOf } from '../teams/team-totals.ts'
import { RoleType } from './role.ts'

interface MemberTotalRow {
  team?: string
  role?: Role
  count: number
}

const MemberTotalType = builder.objectRef<TotalOf<MemberTotalRow>>('MemberTotal').implement({
  description: 'A number of members.',
  fields: (t) => ({
    role: t.field({
      type: RoleType,
      nullable: true,
      description: 'The role; null if the totals are not grouped by it.',
      resolve: ({ role }) => role ?? null,
    }),
    count: t.exposeInt('count', { description: 'Number of memberships: a user counts once in each team.' }),
  }),
})

declareTotals({
  name: 'memberTotals',
  description: 'Numbers of members, by default of each role.',
  type: MemberTotalType,
  requires: { scopes: ['acct:team:members:read'] },
  cost: 20,
  groups: { role: { description: 'The role.', values: 3 } },
  defaultGroups: ['role'],
  args: {},
  read({ database }, { teamIds, groups }) {
    const { columns, clause } = buildGrouping({ team: 'r.team_id', role: 'r.role' }, groups)
    const text = `SELECT ${columns} count(*) AS count FROM members r WHERE r.team_id = ANY ($1::uuid[]) ${clause}`
    return query<MemberTotalRow>(database.pool, text, [teamIds])
  },
})

import type { InvitationStatus, Role } from '../../prisma/generated/client/enums.ts'
import { query } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { RoleType } from '../members/role.ts'
import { buildGrouping } from '../teams/group-by.ts'
import { declareTotals } from '../teams/team-totals.ts'
import type { TotalOf } from '../teams/team-totals.ts'
import { InvitationStatusType, requiresInviting } from './invitation.ts'

interface InvitationTotalRow {
  team?: string
  status?: InvitationStatus
  role?: Role
  count: number
}

const InvitationTotalType = builder.objectRef<TotalOf<InvitationTotalRow>>('InvitationTotal').implement({
  description: 'A number of invitations.',
  fields: (t) => ({
    status: t.field({
      type: InvitationStatusType,
      nullable: true,
      description: 'The state now; null if the totals are not grouped by it.',
      resolve: ({ status }) => status ?? null,
    }),
    role: t.field({
      type: RoleType,
      nullable: true,
      description: 'The role after accepting; null if the totals are not grouped by it.',
      resolve: ({ role }) => role ?? null,
    }),
    count: t.exposeInt('count', { description: 'Number of invitations.' }),
  }),
})

const columnByGroup = {
  team: 'r.team_id',
  // The rule is that of `statusAt`: no job records expiry.
  status: `CASE WHEN r.status = 'pending' AND r.expires_at <= $2 THEN 'expired' ELSE r.status END`,
  role: 'r.role',
}

declareTotals({
  name: 'invitationTotals',
  description: 'Numbers of invitations, by default in each state.',
  type: InvitationTotalType,
  requires: requiresInviting,
  cost: 50,
  groups: { status: { description: 'The state now.', values: 3 }, role: { description: 'The role after accepting.', values: 2 } },
  defaultGroups: ['status'],
  args: {},
  read({ database, now }, { teamIds, groups }) {
    const { columns, clause } = buildGrouping(columnByGroup, groups)
    const text = `SELECT ${columns} count(*) AS count FROM invitations r
      WHERE r.team_id = ANY ($1::uuid[]) AND $2::timestamptz IS NOT NULL ${clause}`
    return query<InvitationTotalRow>(database.pool, text, [teamIds, now()])
  },
})

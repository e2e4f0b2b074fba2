import { statement } from '../../prisma/statement.ts'
import { listComplexity, pageArguments, slice } from '../builder/pagination.ts'
import { builder } from '../builder/builder.ts'
import { hasTwoFactor } from '../core/team-access/two-factor.ts'
import { TeamType } from '../teams/team.ts'
import { TeamMemberPage } from './member.ts'
import { memberColumns, withAvatar } from './queries.ts'
import type { StoredMember } from './queries.ts'

const without = `FROM members r JOIN users u ON u.id = r.user_id WHERE r.team_id = $1 AND NOT ${hasTwoFactor('u')}`

const countWithout = statement<{ total: number }, [teamId: string]>('members_without_two_factor', `SELECT count(*) AS total ${without}`)
const pageWithout = statement<StoredMember, [teamId: string, perPage: number, offset: number]>(
  'members_without_two_factor_page',
  `SELECT ${memberColumns} ${without} ORDER BY r.joined_at, r.user_id LIMIT $2 OFFSET $3`,
)

/** The members to tell about the requirement: those with an account that works, and without two-factor authentication. */
export const membersToTell = statement<{ id: string; emailVerified: boolean }, [teamId: string]>(
  'members_to_tell_about_two_factor',
  `SELECT u.id, u.email_verified AS "emailVerified" ${without} AND u.disabled_at IS NULL ORDER BY u.id`,
)

builder.objectField(TeamType, 'membersWithoutTwoFactor', (t) =>
  t.field({
    description: 'The members who have not turned on two-factor authentication, by join time.',
    type: TeamMemberPage,
    complexity: listComplexity,
    requires: { scopes: ['acct:team:members:read'], roles: ['owner'] },
    args: pageArguments,
    resolve: async ({ id }, args, { database: { pool } }) => {
      const { page, perPage, offset } = slice(args)
      const [[counted], nodes] = await Promise.all([countWithout(pool, id), pageWithout(pool, id, perPage, offset)])
      return { nodes: nodes.map(withAvatar), total: counted?.total ?? 0, page, perPage }
    },
  }),
)

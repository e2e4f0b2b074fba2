import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { loadOfTeam } from '../lists/batch.ts'
import { TeamMemberType } from '../members/member.ts'

const membersInDirectory = statement<{ teamId: string; id: string }, [teamIds: readonly string[], userIds: readonly string[]]>(
  'members_in_directory',
  `SELECT s.team_id AS "teamId", s.account_id AS id FROM unnest($1::uuid[], $2::uuid[]) k(team_id, user_id)
   JOIN scim_users s ON s.team_id = k.team_id AND s.account_id = k.user_id`,
)

builder.objectField(TeamMemberType, 'isInDirectory', (t) =>
  t.boolean({
    description: 'Whether the directory of the team has sent the member through SCIM. It can then end the membership.',
    resolve: async ({ teamId, id }, _, context) =>
      (await loadOfTeam(context, 'members in directories', teamId, id, membersInDirectory)) !== null,
  }),
)

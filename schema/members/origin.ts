import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { isAuthorized } from '../core/requires.ts'
import { findTeamAccess } from '../core/team-access/team-access.ts'
import { TeamMemberType } from './member.ts'
import { changeMembers } from './rules.ts'

type OriginKind = 'creator' | 'invitation' | 'provider' | 'directory' | 'operator'

interface Origin {
  kind: OriginKind
  inviterName: string | null
  providerName: string | null
}

const OriginKindType = enumType('TeamMemberOriginKind', 'How a user became a member.', {
  creator: 'The user created the team.',
  invitation: 'The user accepted an invitation.',
  provider: 'The user signed in through an identity provider of the team.',
  directory: 'The directory of the team added the user, or invited the user.',
  operator: 'An operator of the service added the user, for example with an import.',
} satisfies Record<OriginKind, string>)

const OriginType = builder.objectRef<Origin>('TeamMemberOrigin').implement({
  description: 'How a user became a member.',
  fields: (t) => ({
    kind: t.expose('kind', { type: OriginKindType, description: 'How the user became a member.' }),
    inviterName: t.exposeString('inviterName', {
      nullable: true,
      description:
        'For `INVITATION`: the name of the owner who invited; null if a token, a client or a workload identity did, or if the account was deleted.',
    }),
    providerName: t.exposeString('providerName', {
      nullable: true,
      description: 'For `PROVIDER`: the name that the identity provider had, or null if it was not recorded.',
    }),
  }),
})

// A user can leave a team and join it again: the last entry counts.
const originOfMember = statement<Origin, [teamId: string, userId: string]>(
  'origin_of_member',
  `SELECT CASE e.action
       WHEN 'createTeam' THEN 'creator' WHEN 'joinThroughProvider' THEN 'provider' WHEN 'provisionMember' THEN 'directory'
       WHEN 'addMember' THEN 'operator' ELSE CASE WHEN i.directory_user_id IS NULL THEN 'invitation' ELSE 'directory' END END AS kind,
     CASE WHEN e.action = 'acceptInvitation' THEN u.name END AS "inviterName", e.after ->> 'provider' AS "providerName"
   FROM (
     SELECT action, at, after FROM audit_entries WHERE team_id = $1 AND subject = $2::uuid::text
       AND action IN ('acceptInvitation', 'joinThroughProvider', 'provisionMember', 'addMember')
     UNION ALL
     SELECT action, at, NULL FROM audit_entries WHERE team_id = $1 AND actor_user_id = $2 AND action = 'createTeam'
     ORDER BY at DESC LIMIT 1
   ) e
   LEFT JOIN LATERAL (SELECT invited_by_id, directory_user_id FROM invitations
     WHERE team_id = $1 AND accepted_by_id = $2 AND status = 'accepted' ORDER BY answered_at DESC LIMIT 1) i ON e.action = 'acceptInvitation'
   LEFT JOIN users u ON u.id = i.invited_by_id`,
)

builder.objectField(TeamMemberType, 'origin', (t) =>
  t.field({
    description:
      'How the user became a member, as the audit log says. Null if it does not say so, and for callers who may not change members.\n\nCosts 10.',
    type: OriginType,
    nullable: true,
    complexity: { field: 10 },
    resolve: async ({ teamId, userId }, _, context) => {
      const teamAccess = await findTeamAccess(context, 'id', teamId)
      if (!teamAccess || !isAuthorized(context, changeMembers, teamAccess)) return null
      const [origin] = await originOfMember(context.database.pool, teamId, userId)
      return origin ?? null
    },
  }),
)

import { AuditEntryType } from '../audit/audit-entry.ts'
import { builder } from '../builder/builder.ts'
import { findNode } from '../builder/node.ts'
import { findTeamAccess } from '../core/team-access.ts'
import { TeamInvitationType } from '../invitations/invitation.ts'
import { TeamMemberType } from '../members/member.ts'
import { GrantType } from '../oauth/grant.ts'
import { TeamType } from '../teams/team.ts'
import { MemberTokenType } from '../tokens/member-tokens/member-token.ts'
import { TeamTokenType } from '../tokens/token.ts'

/** The actions in a team, by the type of the object that `subject` identifies. */
const actions = {
  Team: ['createTeam', 'updateTeam', 'deleteTeam', 'restoreTeam', 'setTwoFactorRequirement', 'readAsStaff'],
  TeamMember: ['updateMember', 'removeMember', 'leaveTeam', 'transferOwnership', 'acceptInvitation'],
  TeamInvitation: ['inviteMember', 'resendInvitation', 'revokeInvitation', 'declineInvitation'],
  TeamToken: ['createTeamToken', 'updateToken', 'rotateToken', 'revokeToken'],
  MemberToken: ['revokeTokenTeamAccess'],
  Grant: ['revokeGrant', 'reduceGrantScopes', 'revokeGrantTeamAccess'],
}
const typeOf = new Map(Object.entries(actions).flatMap(([type, names]) => names.map((name) => [name, type])))
/** The types whose global id has the team. */
const typesOfTeam = new Set(['TeamMember', 'TeamInvitation', 'TeamToken'])

const AuditSubjectType = builder.unionType('AuditSubject', {
  description: 'What a change in a team was made to.',
  types: [TeamType, TeamMemberType, TeamInvitationType, TeamTokenType, MemberTokenType, GrantType],
})

builder.objectField(AuditEntryType, 'subjectObject', (t) =>
  t.field({
    description:
      'What was changed, as it is now; null if it was deleted, if the caller may not see it, and for changes outside of a team. ' +
      '`subject` and `subjectName` identify it even then.',
    type: AuditSubjectType,
    nullable: true,
    resolve: async ({ action, subject, teamId }, _, context, info) => {
      const type = typeOf.get(action)
      const teamAccess = type === undefined || teamId === null ? null : await findTeamAccess(context, 'id', teamId)
      if (type === undefined || !teamAccess) return null
      const key = typesOfTeam.has(type) ? [teamAccess.team.slug, subject] : [subject]
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object of one of the types, which `findNode` marks
      return (await findNode(context, { type, key }, info)) as never
    },
  }),
)

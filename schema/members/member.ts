import { applicationAccess, ApplicationType } from '../apps/application.ts'
import { builder } from '../builder/builder.ts'
import { emailAddress } from '../core/validation.ts'
import { listComplexity, pageArguments, pageType, slice } from '../builder/pagination.ts'
import { TeamType } from '../teams/team.ts'
import { findMember, findMembers } from './queries.ts'
import type { MemberRow } from './queries.ts'
import { RoleType } from './role.ts'

export const TeamMemberType = builder.objectRef<MemberRow>('TeamMember').implement({
  describedBy: 'Member',
  fields: (t) => ({
    userId: t.exposeID('userId'),
    name: t.exposeString('name', { describedBy: 'User.name' }),
    email: t.exposeString('email', { describedBy: 'User.email', extensions: { rule: emailAddress } }),
    role: t.expose('role', { type: RoleType }),
    accessibleAppIds: t.expose('accessibleAppIds', {
      type: [ApplicationType],
      nullable: true,
      extensions: { rule: applicationAccess },
      description: 'The applications the member may use; null means all of the team’s applications.',
    }),
    avatarUrl: t.exposeString('avatarUrl', { description: 'Address of the avatar for the member’s e-mail address.' }),
    joinedAt: t.expose('joinedAt', { type: 'DateTime' }),
    version: t.exposeString('version', {
      nullable: true,
      description: 'Changes with every change of the member, the name or the address; null in lists and payloads.',
    }),
  }),
})

export const TeamMemberPage = pageType('TeamMemberPage', TeamMemberType)

const requires = { scopes: ['acct:team:members:read'] } as const

builder.objectFields(TeamType, (t) => ({
  members: t.field({
    description: 'All users who are members of the team, by join time.',
    type: TeamMemberPage,
    complexity: listComplexity,
    requires,
    args: pageArguments,
    resolve: (team, args, context) => findMembers(context, team.id, slice(args)),
  }),
  member: t.field({
    description: 'One member.',
    type: TeamMemberType,
    requires,
    args: { id: t.arg.id({ required: true, description: 'The member’s user identifier.' }) },
    resolve: (team, { id }, context) => findMember(context, team.id, id),
  }),
}))

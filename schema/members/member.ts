import { applicationAccess, ApplicationType } from '../apps/application.ts'
import { builder } from '../builder/builder.ts'
import { emailAddress } from '../core/validation.ts'
import { pageType } from '../builder/pagination.ts'
import { searchPattern } from '../builder/search.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { pictureFiles, pictureUrl } from '../pictures/picture-url.ts'
import { avatarUrl } from '../teams/avatar.ts'
import { TeamType } from '../teams/team.ts'
import type { Requirement } from '../core/requires.ts'
import { memberList } from './list.ts'
import type { MemberOrder } from './list.ts'
import { findActivity, findMember, findVersion } from './queries.ts'
import type { MemberRow } from './queries.ts'
import { RoleType } from './role.ts'
import { changeMembers } from './rules.ts'
import type { Context } from '../core/context.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isAuthorized } from '../core/requires.ts'
import { findTeamAccess } from '../core/team-access/team-access.ts'

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
      description: 'The products the member may use; null means all of the team’s products.',
    }),
    avatarUrl: t.string({
      description: 'URL of the member’s picture; without one, of the avatar for the email address.',
      resolve: ({ pictureId, email }, _, context) => pictureUrl(context, pictureId) ?? avatarUrl(email),
    }),
    pictureUrl: t.string({
      description: `URL of the member’s picture, ${pictureFiles}`,
      nullable: true,
      resolve: ({ pictureId }, _, context) => pictureUrl(context, pictureId),
    }),
    joinedAt: t.expose('joinedAt', { type: 'DateTime' }),
    isManaged: t.exposeBoolean('isManaged', { describedBy: 'Member.managed' }),
    lastActiveAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the member was last active, in any team, to the minute. Null if never, and for callers who may not change members.',
      resolve: async (member, _, context) => (await visibleActivity(context, member))?.lastActiveAt ?? null,
    }),
    hasTwoFactor: t.boolean({
      nullable: true,
      description: 'Whether the member uses two-factor authentication. Null for callers who may not change members.',
      resolve: async (member, _, context) => (await visibleActivity(context, member))?.hasTwoFactor ?? null,
    }),
    version: t.string({
      nullable: true,
      description: 'Changes with every change of the member, the name or the email address; null in payloads.',
      resolve: (member, _, context) => (member.version === undefined ? findVersion(context, member) : member.version),
    }),
  }),
})

/** Returns the activity of a member, which only callers who may change members can read. */
async function visibleActivity(context: Context, member: MemberRow) {
  const teamAccess = await findTeamAccess(context, 'id', member.teamId)
  return teamAccess && isAuthorized(context, changeMembers, teamAccess) ? findActivity(context, member) : null
}

/** Returns the user’s identifier from an argument that accepts it, a global id of the member, or one of the user. */
export const parseMemberId = (id: string, team: { slug: string }) => parseIdentifier(id, ['TeamMember', 'Person', 'User'], team)

export const readMembers: Requirement = { scopes: ['acct:team:members:read'] }

const MemberOrderType = orderByType('TeamMemberOrder', 'members', {
  joined: 'When the member joined the team.',
  name: 'The name, in upper or lower case.',
  role: 'The role, owners first; members with the same role by join time.',
} satisfies Record<MemberOrder, string>)

/** The parts that the lists of members share. */
export const members = {
  page: pageType('TeamMemberPage', TeamMemberType),
  connection: connectionType('TeamMember', TeamMemberType),
  list: memberList,
  args: builder.args((t) => ({
    role: t.field({ type: RoleType, description: 'Only members with this role.' }),
    appId: t.field({ type: ApplicationType, description: 'Only members who may use this product.' }),
    search: t.string({ description: 'Only members whose name or email address contains this text, in upper or lower case.' }),
    joinedSince: t.field({ type: 'DateTime', description: 'Only members who joined at this time or later.' }),
    joinedUntil: t.field({ type: 'DateTime', description: 'Only members who joined before this time.' }),
    orderBy: t.field({ type: MemberOrderType, description: 'The order; default by join time, earliest first.' }),
  })),
}
const byJoinTime = { field: 'joined', direction: 'asc' } as const

builder.objectFields(TeamType, (t) => ({
  ...listFields(t, 'members', {
    ...members,
    description: 'All users who are members of the team.',
    requires: { ...readMembers, openToStaff: 'content' },
    query: ({ search, orderBy, ...filters }) => ({
      filters: { ...filters, search: searchPattern(search) },
      orderBy: orderBy ?? byJoinTime,
    }),
  }),
  ...listFields(t, 'membersWithoutTwoFactor', {
    ...members,
    description: 'The members who have not turned on two-factor authentication.',
    requires: { ...readMembers, roles: ['owner'] },
    query: ({ search, orderBy, ...filters }) => ({
      filters: { ...filters, search: searchPattern(search), withoutTwoFactor: true },
      orderBy: orderBy ?? byJoinTime,
    }),
  }),
  member: t.field({
    description: 'One member.',
    type: TeamMemberType,
    requires: readMembers,
    args: { id: t.arg.id({ required: true, description: 'The member’s user identifier.' }) },
    resolve: (team, { id }, context) => findMember(context, team.id, parseMemberId(id, team)),
  }),
}))

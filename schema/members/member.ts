import type { Application, Role } from '../../prisma/generated/client/enums.ts'
import { applicationAccess, ApplicationType } from '../apps/application.ts'
import { builder } from '../builder/builder.ts'
import { pageType } from '../builder/pagination.ts'
import { anyContains, searchPattern } from '../builder/search.ts'
import type { Context } from '../core/context.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isAuthorized } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { findTeamAccess } from '../core/team-access/team-access.ts'
import { hasTwoFactor } from '../core/team-access/two-factor.ts'
import { emailAddress } from '../core/validation.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { defineList } from '../lists/list.ts'
import { orderByType } from '../lists/order-by.ts'
import { pictureFiles, pictureUrl } from '../pictures/picture-url.ts'
import { avatarUrl } from '../teams/avatar.ts'
import { TeamType } from '../teams/team.ts'
import { memberColumns, withUserId, findActivity, findMember, findVersion } from './queries.ts'
import type { MemberRow, StoredMember } from './queries.ts'
import { RoleType } from './role.ts'
import { changeMembers } from './rules.ts'

type MemberOrder = 'joined' | 'name' | 'role'

interface MemberFilters {
  role?: Role | null | undefined
  /** Selects members who may use this product. */
  appId?: Application | null | undefined
  /** Pattern for the name or the address. */
  search?: string | null
  joinedSince?: Date | null | undefined
  /** End of the period, exclusive. */
  joinedUntil?: Date | null | undefined
  withoutTwoFactor?: boolean
}

/**
 * The members of a team. Indexes serve the orders by join time, role, and the name and address in `person`. The page by join time is a hot
 * list of the REST façade: one prepared statement reads the stored total, the page and the joined users.
 */
const memberList = defineList<StoredMember, MemberRow, MemberOrder, MemberFilters>({
  name: 'members',
  // The join is a LEFT JOIN, so that PostgreSQL does not read the users when it only counts.
  rows: (team) => `FROM members r LEFT JOIN users u ON u.id = r.user_id WHERE r.team_id = ${team}`,
  id: 'r.user_id',
  columns: memberColumns,
  orders: {
    joined: { keys: [['r.joined_at', 'timestamptz']] },
    name: { keys: [['r.person', 'text']] },
    role: {
      keys: [
        ['r.role', '"Role"'],
        ['r.joined_at', 'timestamptz'],
      ],
    },
  },
  filters: {
    role: ({ value }) => `r.role = ${value}::"Role"`,
    appId: ({ value }) => `(r.all_applications OR r.applications @> ARRAY[${value}::"Application"])`,
    search: ({ value }) => anyContains(['r.person'], value),
    joinedSince: ({ value }) => `r.joined_at >= ${value}::timestamptz`,
    joinedUntil: ({ value }) => `r.joined_at < ${value}::timestamptz`,
    withoutTwoFactor: () => `NOT ${hasTwoFactor('r.user_id')}`,
  },
  toNode: withUserId,
  kept: {
    table: 'members',
    pages: { order: 'joined', columns: ['joined_at', 'user_id'] },
    // The LIMIT keeps PostgreSQL from reading all users to join fifty.
    joins: 'LEFT JOIN LATERAL (SELECT name, email, picture_id FROM users WHERE id = r.user_id LIMIT 1) u ON true',
  },
})

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

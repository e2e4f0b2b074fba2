import { z } from 'zod'
import type { Application, Role } from '../prisma/generated/client/enums.ts'
import { statement } from '../prisma/statement.ts'
import { ApplicationType, RoleType, accessColumns, accessibleIds, applicationAccess, role } from './application.ts'
import { change } from './audit.ts'
import { avatarUrl } from './avatar.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { about } from './description.ts'
import { notFound } from './errors.ts'
import { keepAnOwner, lockMember, mayMakeOwner } from './ownership.ts'
import { listComplexity, pageArguments, pageOf, pageType, slice } from './pagination.ts'
import { reachTeam } from './reach.ts'
import { TeamType } from './team.ts'
import { isIdentifier, parse } from './validation.ts'

interface StoredMember {
  /** The person's. */
  id: string
  name: string
  email: string
  role: Role
  /** Null for all. */
  accessibleAppIds: Application[] | null
  joinedAt: string
}

/** A member with every field of its type under the field's own name: compiled operations read those without a resolver. */
interface MemberRow extends StoredMember {
  avatarUrl: string
}

const TeamMemberType = builder.objectRef<MemberRow>('TeamMember').implement({
  description: about('Member'),
  fields: (t) => ({
    id: t.exposeID('id', { description: about('Member.userId') }),
    name: t.exposeString('name', { description: about('User.name') }),
    email: t.exposeString('email', { description: about('User.email') }),
    role: t.expose('role', { type: RoleType, description: about('Member.role') }),
    accessibleAppIds: t.expose('accessibleAppIds', {
      type: [ApplicationType],
      nullable: true,
      description: 'The applications the member may use; null means all of the team’s.',
    }),
    avatarUrl: t.exposeString('avatarUrl', { description: 'Address of the avatar of the member’s e-mail address.' }),
    joinedAt: t.expose('joinedAt', { type: 'DateTime', description: about('Member.joinedAt') }),
  }),
})

const columns = `m.user_id AS id, m.role, CASE WHEN NOT m.all_applications THEN to_json(m.applications) END AS "accessibleAppIds",
  m.joined_at AS "joinedAt", u.name, u.email`

const memberPage = statement<StoredMember & { inAll: number }, [teamId: string, limit: number, offset: number]>(
  'member_page',
  `SELECT t.in_all AS "inAll", ${columns}
   FROM (SELECT count(*) AS in_all FROM members WHERE team_id = $1) t
   LEFT JOIN (SELECT * FROM members WHERE team_id = $1 ORDER BY joined_at, user_id LIMIT $2 OFFSET $3) m ON true
   LEFT JOIN users u ON u.id = m.user_id
   ORDER BY m.joined_at, m.user_id`,
)
const memberOfTeam = statement<StoredMember, [teamId: string, userId: string]>(
  'member_of_team',
  `SELECT ${columns} FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND m.user_id = $2`,
)

const withAvatar = (member: StoredMember): MemberRow => Object.assign(member, { avatarUrl: avatarUrl(member.email) })

/** One member, or `not_found`. */
export async function findMember({ database }: Context, teamId: string, userId: string): Promise<MemberRow> {
  const [member] = isIdentifier(userId) ? await memberOfTeam(database.pool, teamId, userId) : []
  if (!member) throw notFound()
  return withAvatar(member)
}

const requires = { scopes: ['acct:team:members:read'] } as const

builder.objectFields(TeamType, (t) => ({
  members: t.field({
    description: 'All users who are members of the team, by join time.',
    type: pageType('TeamMemberPage', TeamMemberType),
    complexity: listComplexity,
    requires,
    args: pageArguments,
    resolve: async (team, args, { database }) => {
      const asked = slice(args)
      const page = pageOf(await memberPage(database.pool, team.id, asked.perPage, asked.offset), asked, 'id')
      return { ...page, nodes: page.nodes.map(withAvatar) }
    },
  }),
  member: t.field({
    description: 'One member.',
    type: TeamMemberType,
    requires,
    args: { id: t.arg.id({ required: true, description: 'The member’s user identifier.' }) },
    resolve: (team, { id }, context) => findMember(context, team.id, id),
  }),
}))

export const MemberPayload = builder.objectRef<{ member: MemberRow }>('MemberPayload').implement({
  description: 'A member as it is after the change, or was before the removal.',
  fields: (t) => ({ member: t.expose('member', { type: TeamMemberType, description: 'The member.' }) }),
})

const UpdateMemberInput = builder.inputType('UpdateMemberInput', {
  description: 'At least one of `role` and `accessibleAppIds`; what is absent stays as it is.',
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    userId: t.id({ required: true, description: 'The member’s user identifier.' }),
    role: t.field({ type: RoleType, description: 'The new role.' }),
    accessibleAppIds: t.field({ type: [ApplicationType], description: 'The applications; null grants all, an empty list none.' }),
  }),
})

/** What may be changed of a member (decisions §4). */
export const memberRules = {
  role: role.describe('The new membership role.'),
  accessibleAppIds: applicationAccess.describe(
    'The applications the member may use; null grants all team applications, an empty list none.',
  ),
}
const updateRules = z
  .object(memberRules)
  .partial()
  .refine((input) => input.role !== undefined || input.accessibleAppIds !== undefined, {
    path: ['role'],
    message: 'The :attribute field is required when accessible app ids is not present.',
  })

export const changeMembers = { scopes: ['acct:team:members:write'], roles: ['owner'] } as const

builder.mutationField('updateMember', (t) =>
  t.field({
    description: 'Changes a member’s role or application access.',
    type: MemberPayload,
    requires: changeMembers,
    args: { input: t.arg({ type: UpdateMemberInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { team } = await reachTeam(context, input.team)
      const { role, accessibleAppIds } = parse(updateRules, input)
      const present = await findMember(context, team.id, input.userId)
      return change(context, info, async (transaction) => {
        const member = await lockMember(transaction, team.id, input.userId)
        if (role === 'owner' && member.role !== 'owner') mayMakeOwner(context)
        if (role !== undefined && role !== 'owner' && member.role === 'owner') await keepAnOwner(transaction, team.id)
        const columns = { ...(role && { role }), ...(accessibleAppIds !== undefined && accessColumns(accessibleAppIds)) }
        await transaction.member.update({ where: { teamId_userId: { teamId: team.id, userId: member.userId } }, data: columns })
        const before = { role: member.role, accessibleAppIds: accessibleIds(member) }
        const after = {
          role: role ?? before.role,
          accessibleAppIds: accessibleAppIds === undefined ? before.accessibleAppIds : accessibleAppIds,
        }
        return {
          result: { member: { ...present, ...after } },
          teamId: team.id,
          subject: member.userId,
          subjectName: present.name,
          before,
          after,
        }
      })
    },
  }),
)

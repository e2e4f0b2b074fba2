import { z } from 'zod'
import { memberRules } from '../../schema/members/rules.ts'
import { route } from '../route.ts'
import { pageQuery } from '../query.ts'

const tag = 'Members'
const member = 'id: userId name email role accessible_app_ids: accessibleAppIds avatar_url: avatarUrl joined_at: joinedAt'

export const memberRoutes = [
  route({
    operationId: 'v1.teams.members.index',
    tool: 'list_members',
    method: 'get',
    path: '/v1/teams/{teamSlug}/members',
    tag,
    summary: 'List members',
    description: 'Lists all users who are members of a team, by join time.',
    query: z.object(pageQuery),
    document: `query ($teamSlug: String!, $page: Int, $perPage: Int) {
      team(slug: $teamSlug) { members(page: $page, perPage: $perPage) { nodes { ${member} } total page perPage } }
    }`,
    response: { kind: 'page', at: 'team.members' },
  }),
  route({
    operationId: 'v1.teams.members.show',
    tool: 'get_member',
    method: 'get',
    path: '/v1/teams/{teamSlug}/members/{userId}',
    tag,
    summary: 'Show a member',
    description: 'Retrieves one member.',
    document: `query ($teamSlug: String!, $userId: ID!) { team(slug: $teamSlug) { member(id: $userId) { ${member} _version: version } } }`,
    response: { kind: 'resource', at: 'team.member' },
  }),
  route({
    operationId: 'v1.teams.members.update',
    tool: 'update_member',
    method: 'patch',
    path: '/v1/teams/{teamSlug}/members/{userId}',
    tag,
    summary: 'Update a member',
    description: 'Changes a member’s role, product access or both. The last owner cannot be demoted.',
    body: z.object({ role: memberRules.role, accessible_app_ids: memberRules.accessibleAppIds }).partial().meta({ minProperties: 1 }),
    example: { role: 'member', accessible_app_ids: ['deploy', 'flow'] },
    document: `mutation ($teamSlug: String!, $userId: ID!, $role: Role, $accessibleAppIds: [Application!]) {
      updateMember(input: { team: $teamSlug, userId: $userId, role: $role, accessibleAppIds: $accessibleAppIds }) { member { id: userId _version: version } }
    }`,
    response: { kind: 'empty' },
  }),
]

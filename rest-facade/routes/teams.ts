import { z } from 'zod'
import { teamRules } from '../../schema/teams/rules.ts'
import { route } from '../route.ts'

const tag = 'Teams'
const team = 'slug name timezone gravatar_email: gravatarEmail avatar_url: avatarUrl created_at: createdAt updated_at: updatedAt'
const versionedTeam = `${team} _version: updatedAt`

export const teamRoutes = [
  route({
    operationId: 'v1.teams.index',
    tool: 'list_teams',
    method: 'get',
    path: '/v1/teams',
    tag,
    summary: 'List teams',
    description: 'Lists the teams available to the credential. A team access token returns only its own team.',
    document: `query { teams { ${team} } }`,
    response: { kind: 'list', at: 'teams' },
  }),
  route({
    operationId: 'v1.teams.show',
    tool: 'get_team',
    method: 'get',
    path: '/v1/teams/{teamSlug}',
    tag,
    summary: 'Show a team',
    description: 'Retrieves one team available to the credential. A team access token can retrieve only its own team.',
    document: `query ($teamSlug: String!) { team(slug: $teamSlug) { ${versionedTeam} } }`,
    response: { kind: 'resource', at: 'team' },
  }),
  route({
    operationId: 'v1.teams.update',
    tool: 'update_team',
    method: 'patch',
    path: '/v1/teams/{teamSlug}',
    tag,
    summary: 'Update a team',
    description: 'Updates the display name, avatar email or time zone of a team. Absent members stay unchanged.',
    body: z.object({ name: teamRules.name, timezone: teamRules.timezone, gravatar_email: teamRules.gravatarEmail }).partial(),
    example: { name: 'Acme Inc.', timezone: 'Europe/Berlin', gravatar_email: 'team@acme.example' },
    document: `mutation ($teamSlug: String!, $name: String, $timezone: String, $gravatarEmail: String) {
      updateTeam(input: { team: $teamSlug, name: $name, timezone: $timezone, gravatarEmail: $gravatarEmail }) { team { ${versionedTeam} } }
    }`,
    response: { kind: 'resource', at: 'updateTeam.team' },
  }),
]

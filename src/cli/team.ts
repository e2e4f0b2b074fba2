import { command } from './command.ts'
import { asOperator } from './context.ts'
import { printable, table } from './output.ts'

interface Team {
  slug: string
  name: string
  timezone: string | null
  gravatar_email: string | null
  avatar_url: string
  created_at: Date
  updated_at: Date
}
const members = `slug name timezone gravatar_email: gravatarEmail avatar_url: avatarUrl created_at: createdAt updated_at: updatedAt`

export const teamCreate = command({
  name: 'team create',
  about: 'Creates a team.',
  options: {
    slug: { value: 'SLUG', required: true, about: 'public slug, which never changes: lower-case letters, digits, single hyphens' },
    name: { value: 'NAME', required: true, about: 'display name' },
    timezone: { value: 'ZONE', about: 'IANA time zone' },
    owner: { value: 'EMAIL', about: 'account that owns the team from the start' },
  },
  run: ({ options }) =>
    asOperator(async (ask) => {
      const { createTeam } = await ask<{ createTeam: { team: Team } }>(
        `mutation ($input: CreateTeamInput!) { createTeam(input: $input) { team { ${members} } } }`,
        { input: options },
      )
      return { value: createTeam.team, text: `Created team ${createTeam.team.slug} (${printable(createTeam.team.name)}).` }
    }),
})

export const teamList = command({
  name: 'team list',
  about: 'Lists all teams by slug.',
  run: () =>
    asOperator(async (ask) => {
      const { teams } = await ask<{ teams: Team[] }>(`{ teams { ${members} } }`)
      const rows = teams.map(({ slug, name, timezone, created_at }) => [slug, name, timezone, created_at])
      return { value: { data: teams }, text: table(['slug', 'name', 'timezone', 'created'], rows) }
    }),
})

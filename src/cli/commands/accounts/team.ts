import { timezones } from '../../../../schema/teams/timezones.ts'
import { command } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { printable } from '../../terminal/output.ts'
import { table } from '../../terminal/table.ts'

interface Team {
  slug: string
  name: string
  timezone: string | null
  gravatar_email: string | null
  avatar_url: string
  created_at: Date
  updated_at: Date
}
const teamFields = `slug name timezone gravatar_email: gravatarEmail avatar_url: avatarUrl created_at: createdAt updated_at: updatedAt`

export const teamCreate = command({
  name: 'team create',
  summary: 'Create a team',
  options: {
    slug: { value: 'SLUG', required: true, description: 'permanent slug: lower-case letters, digits and single hyphens' },
    name: { value: 'NAME', required: true, description: 'display name' },
    timezone: { value: 'ZONE', suggestions: timezones, description: 'IANA time zone' },
    owner: { value: 'EMAIL', stored: 'user', description: 'email address of the account that becomes the owner' },
  },
  run: ({ options }) =>
    asOperator(async (execute) => {
      const { createTeam } = await execute<{ createTeam: { team: Team } }>(
        `mutation ($input: CreateTeamInput!) { createTeam(input: $input) { team { ${teamFields} } } }`,
        { input: options },
      )
      return { value: createTeam.team, text: `Created team ${createTeam.team.slug} (${printable(createTeam.team.name)}).` }
    }),
})

interface DeletedTeam {
  slug: string
  name: string
  deleted_at: Date
  restorable_until: Date
}
const deletedTeamFields = 'slug name deleted_at: deletedAt restorable_until: restorableUntil'

export const teamList = command({
  name: 'team list',
  summary: 'List all teams, or the deleted ones',
  options: { deleted: { description: 'list the deleted teams that can still be restored' } },
  run: ({ options: { deleted } }) =>
    asOperator(async (execute) => {
      if (deleted) {
        const { teams } = await execute<{ teams: DeletedTeam[] }>(`{ teams: deletedTeams { ${deletedTeamFields} } }`)
        const rows = teams.map(({ slug, name, deleted_at, restorable_until }) => [slug, name, restorable_until, deleted_at])
        return { value: { data: teams }, text: table(['slug', 'name', 'restorable until', 'deleted'], rows) }
      }
      const { teams } = await execute<{ teams: Team[] }>(`{ teams { ${teamFields} } }`)
      const rows = teams.map(({ slug, name, timezone, created_at }) => [slug, name, created_at, timezone])
      return { value: { data: teams }, text: table(['slug', 'name', 'created', 'timezone'], rows) }
    }),
})

export const teamDelete = command({
  name: 'team delete',
  summary: 'Delete a team',
  description: `Members, access tokens and connected apps lose access to the team at once, and its owners receive an email. The team can
be restored for as many days as DELETED_TEAM_DAYS says. After that only its invoices are kept, and its slug is not given to another team.`,
  positionals: { slug: { stored: 'team', description: 'slug of the team' } },
  confirmation: ({ slug }) => `Delete team ${slug}? It can be restored for some days.`,
  run: ({ positionals: { slug } }) =>
    asOperator(async (execute) => {
      const { deleteTeam } = await execute<{ deleteTeam: { team: DeletedTeam } }>(
        `mutation ($input: DeleteTeamInput!) { deleteTeam(input: $input) { team { ${deletedTeamFields} } } }`,
        { input: { team: slug, confirmSlug: slug } },
      )
      const { team } = deleteTeam
      return { value: team, text: `Deleted team ${team.slug}. It can be restored until ${new Date(team.restorable_until).toISOString()}.` }
    }),
})

export const teamRestore = command({
  name: 'team restore',
  summary: 'Restore a deleted team',
  description:
    'Possible for as many days after the deletion as DELETED_TEAM_DAYS says. Members, tokens and connected apps are as before; invitations stay revoked.',
  positionals: { slug: { stored: 'deletedTeam', description: 'slug of the deleted team, as shown by team list --deleted' } },
  options: {
    owner: {
      value: 'EMAIL',
      stored: 'user',
      description: 'email address of an account that becomes an owner; required if the team has no owner left',
    },
  },
  run: ({ positionals: { slug }, options: { owner } }) =>
    asOperator(async (execute) => {
      const { restoreTeam } = await execute<{ restoreTeam: { team: Team } }>(
        `mutation ($input: RestoreTeamInput!) { restoreTeam(input: $input) { team { ${teamFields} } } }`,
        { input: { team: slug, owner } },
      )
      return { value: restoreTeam.team, text: `Restored team ${restoreTeam.team.slug} (${printable(restoreTeam.team.name)}).` }
    }),
})

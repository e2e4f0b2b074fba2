import { timezones } from '../../../../schema/teams/timezones.ts'
import { wholeNumber } from '../../argument-values.ts'
import { command, UsageError } from '../../command.ts'
import { asOperator } from '../../context.ts'
import {
  CreateTeamDocument,
  DeleteTeamDocument,
  DeletedTeamsDocument,
  RestoreTeamDocument,
  TeamsDocument,
  SetTwoFactorRequirementDocument,
} from '../../generated/operations.ts'
import { printable } from '../../terminal/output.ts'
import { table } from '../../terminal/table.ts'

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
      const { team } = (await execute(CreateTeamDocument, { input: options })).payload
      return { value: team, text: `Created team ${team.slug} (${printable(team.name)}).` }
    }),
})

export const teamList = command({
  name: 'team list',
  summary: 'List all teams, or the deleted ones',
  options: { deleted: { description: 'list the deleted teams that can still be restored' } },
  run: ({ options: { deleted } }) =>
    asOperator(async (execute) => {
      if (deleted) {
        const { teams } = await execute(DeletedTeamsDocument, {})
        const rows = teams.map(({ slug, name, deleted_at, restorable_until }) => [slug, name, restorable_until, deleted_at])
        return { value: { data: teams }, text: table(['slug', 'name', 'restorable until', 'deleted'], rows) }
      }
      const { teams } = await execute(TeamsDocument, {})
      const rows = teams.map(({ slug, name, timezone, created_at }) => [slug, name, created_at, timezone])
      return { value: { data: teams }, text: table(['slug', 'name', 'created', 'timezone'], rows) }
    }),
})

export const teamDelete = command({
  name: 'team delete',
  summary: 'Delete a team',
  description: `Members, access tokens and connected apps lose access to the team immediately, and its owners receive an email. The team can
be restored for as many days as DELETED_TEAM_DAYS says. After that only its invoices are kept, and its slug is not given to another team.`,
  positionals: { slug: { stored: 'team', description: 'slug of the team' } },
  confirmation: ({ slug }) => `Delete team ${slug}? It can be restored for some days.`,
  run: ({ positionals: { slug } }) =>
    asOperator(async (execute) => {
      const { team } = (await execute(DeleteTeamDocument, { input: { team: slug, confirmSlug: slug } })).payload
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
      const { team } = (await execute(RestoreTeamDocument, { input: { team: slug, owner } })).payload
      return { value: team, text: `Restored team ${team.slug} (${printable(team.name)}).` }
    }),
})

export const teamRequireTwoFactor = command({
  name: 'team require-two-factor',
  summary: 'Require two-factor authentication in a team, or stop requiring it',
  description: `Members without it receive an email. When the grace period ends, they lose access to the team until they turn it on. Team
tokens keep working.`,
  positionals: { slug: { stored: 'team', description: 'slug of the team' } },
  options: {
    'grace-days': { value: 'DAYS', description: 'days until members without it lose access, 0 to 90' },
    off: { description: 'require it no longer' },
  },
  run: ({ positionals: { slug }, options: { 'grace-days': graceDays, off } }) =>
    asOperator(async (execute) => {
      if (off === (graceDays !== undefined)) throw new UsageError('one of --grace-days and --off is required')
      const input = { team: slug, graceDays: graceDays === undefined ? null : wholeNumber(graceDays, '--grace-days') }
      const { payload } = await execute(SetTwoFactorRequirementDocument, { input })
      const { team } = payload
      const since = team.two_factor_required_at
      const text =
        since === null
          ? 'does not require two-factor authentication'
          : `requires two-factor authentication from ${new Date(since).toISOString()}`
      return { value: team, text: `Team ${team.slug} ${text}.` }
    }),
})

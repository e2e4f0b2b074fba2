import { command } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { DomainsDocument, TeamDomainsDocument } from '../../generated/operations.ts'
import type { TeamDomainsOutputFragment } from '../../generated/operations.ts'
import { table } from '../../terminal/table.ts'

const stateOf = ({ verified_at, missing_since }: TeamDomainsOutputFragment['domains'][number]) =>
  verified_at === null ? 'not verified' : missing_since === null ? 'verified' : 'verified, record missing'

export const domainList = command({
  name: 'domain list',
  summary: 'List the domains of email addresses that a team has added, or those of all teams',
  options: { team: { value: 'SLUG', stored: 'team', description: 'slug of the team; without it those of all teams' } },
  run: async ({ options: { team: slug } }) => {
    const teams = await asOperator(async (execute) =>
      slug === undefined ? (await execute(DomainsDocument, {})).teams : [(await execute(TeamDomainsDocument, { slug })).team],
    )
    const data = teams.flatMap(({ slug: team, domains }) => domains.map(({ id, ...domain }) => ({ id, team, ...domain })))
    const rows = data.map((each) => [each.domain, stateOf(each), each.team, each.verified_at, each.checked_at, each.missing_since])
    return { value: { data }, text: table(['domain', 'state', 'team', 'verified', 'checked', 'missing since'], rows) }
  },
})

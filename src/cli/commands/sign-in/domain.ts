import { command } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { table } from '../../terminal/table.ts'

interface DomainFields {
  id: string
  domain: string
  record_name: string
  record_value: string
  created_at: Date
  verified_at: Date | null
  checked_at: Date | null
  missing_since: Date | null
}

const stateOf = ({ verified_at, missing_since }: DomainFields) =>
  verified_at === null ? 'not verified' : missing_since === null ? 'verified' : 'verified, record missing'

const domainFields = `id: domainId domain record_name: recordName record_value: recordValue created_at: createdAt verified_at: verifiedAt
  checked_at: checkedAt missing_since: missingSince`

interface TeamFields {
  slug: string
  domains: DomainFields[]
}

export const domainList = command({
  name: 'domain list',
  summary: 'List the domains of email addresses that a team has added, or those of all teams',
  options: { team: { value: 'SLUG', stored: 'team', description: 'slug of the team; without it those of all teams' } },
  run: async ({ options: { team: slug } }) => {
    const teams = await asOperator(async (execute) => {
      const fields = `slug domains { ${domainFields} }`
      if (slug === undefined) return (await execute<{ teams: TeamFields[] }>(`{ teams { ${fields} } }`)).teams
      return [(await execute<{ team: TeamFields }>(`query ($slug: String!) { team(slug: $slug) { ${fields} } }`, { slug })).team]
    })
    const data = teams.flatMap(({ slug: team, domains }) => domains.map(({ id, ...domain }) => ({ id, team, ...domain })))
    const rows = data.map((each) => [each.domain, stateOf(each), each.team, each.verified_at, each.checked_at, each.missing_since])
    return { value: { data }, text: table(['domain', 'state', 'team', 'verified', 'checked', 'missing since'], rows) }
  },
})

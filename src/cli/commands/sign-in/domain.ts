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

export const domainList = command({
  name: 'domain list',
  summary: 'List the domains of email addresses that a team has added',
  options: { team: { value: 'SLUG', stored: 'team', required: true, description: 'slug of the team' } },
  run: async ({ options: { team: slug } }) => {
    const { team } = await asOperator((execute) =>
      execute<{ team: { data: DomainFields[] } }>(
        `query ($slug: String!) { team(slug: $slug) { data: domains { id: domainId domain record_name: recordName record_value: recordValue
           created_at: createdAt verified_at: verifiedAt checked_at: checkedAt missing_since: missingSince } } }`,
        { slug },
      ),
    )
    const rows = team.data.map((each) => [each.domain, stateOf(each), each.verified_at, each.checked_at, each.missing_since])
    return { value: { data: team.data }, text: table(['domain', 'state', 'verified', 'checked', 'missing since'], rows) }
  },
})

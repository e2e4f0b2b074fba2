import { command } from '../../command.ts'
import type { Command } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { table } from '../../terminal/table.ts'

const identifier = { id: { stored: 'provider', description: 'identifier of the identity provider, as shown by provider list' } } as const

/** An identity provider with the fields of `providerFields`. */
interface ProviderFields {
  id: string
  kind: string
  name: string
  issuer: string
  linked_users: number
  last_sign_in_at: Date | null
  tested_at: Date | null
  disabled_at: Date | null
  is_required: boolean
  created_at: Date
}
const providerFields = `id: providerId kind name issuer linked_users: linkedUsers last_sign_in_at: lastSignInAt tested_at: testedAt
  disabled_at: disabledAt is_required: isRequired created_at: createdAt`

const stateOf = ({ disabled_at, tested_at, is_required }: ProviderFields) =>
  [disabled_at !== null ? 'disabled' : tested_at === null ? 'not tested' : 'tested', ...(is_required ? ['required'] : [])].join(', ')

export const providerList = command({
  name: 'provider list',
  summary: 'List the identity providers of a team',
  options: { team: { value: 'SLUG', stored: 'team', required: true, description: 'slug of the team' } },
  run: async ({ options: { team: slug } }) => {
    const { team } = await asOperator((execute) =>
      execute<{ team: { data: ProviderFields[] } }>(
        `query ($slug: String!) { team(slug: $slug) { data: identityProviders { ${providerFields} } } }`,
        { slug },
      ),
    )
    const rows = team.data.map((each) => [each.name, stateOf(each), each.id, String(each.linked_users), each.last_sign_in_at, each.issuer])
    return { value: { data: team.data }, text: table(['name', 'state', 'id', 'users', 'last sign-in', 'issuer'], rows) }
  },
})

const required = `
The team requires sign-in through it: until it is enabled again or the requirement is lifted, only owners with a passkey have access.`

export const providerDisable = changeCommand('disable', 'Disable sign-in through an identity provider', 'Disabled', {
  warning: ({ is_required }) => (is_required ? required : ''),
})
export const providerEnable = changeCommand('enable', 'Enable a disabled identity provider', 'Enabled')

function changeCommand(
  verb: 'disable' | 'enable',
  summary: string,
  done: string,
  { warning = () => '' }: { warning?(provider: ProviderFields): string } = {},
): Command {
  return command({
    name: `provider ${verb}`,
    summary,
    description: 'The owners of the team receive an email.',
    positionals: identifier,
    run: ({ positionals: { id } }) =>
      asOperator(async (execute) => {
        const { payload } = await execute<{ payload: { identityProvider: ProviderFields } }>(
          `mutation ($id: ID!) { payload: ${verb}IdentityProvider(input: { id: $id }) { identityProvider { ${providerFields} } } }`,
          { id },
        )
        const { identityProvider: provider } = payload
        return { value: provider, text: `${done} identity provider ${provider.id}.${warning(provider)}` }
      }),
  })
}

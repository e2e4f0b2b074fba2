import { command } from '../../command.ts'
import type { Command } from '../../command.ts'
import { asOperator } from '../../context.ts'
import { DisableIdentityProviderDocument, EnableIdentityProviderDocument, ProvidersDocument } from '../../generated/operations.ts'
import type { ProviderOutputFragment } from '../../generated/operations.ts'
import { table } from '../../terminal/table.ts'

const identifier = { id: { stored: 'provider', description: 'identifier of the identity provider, as shown by provider list' } } as const

const stateOf = ({ disabled_at, tested_at, is_required }: ProviderOutputFragment) =>
  [disabled_at !== null ? 'disabled' : tested_at === null ? 'not tested' : 'tested', ...(is_required ? ['required'] : [])].join(', ')

export const providerList = command({
  name: 'provider list',
  summary: 'List the identity providers of a team',
  options: { team: { value: 'SLUG', stored: 'team', required: true, description: 'slug of the team' } },
  run: async ({ options: { team: slug } }) => {
    const { team } = await asOperator((execute) => execute(ProvidersDocument, { slug }))
    const data = team.data.map((provider) => ({ ...provider, kind: provider.kind.toLowerCase() }))
    const rows = team.data.map((each) => [each.name, stateOf(each), each.id, String(each.linked_users), each.last_sign_in_at, each.issuer])
    return { value: { data }, text: table(['name', 'state', 'id', 'users', 'last sign-in', 'issuer'], rows) }
  },
})

const required = `
The team requires sign-in through it: until it is enabled again or the requirement is lifted, only owners with a passkey have access.`

export const providerDisable = changeCommand(
  'disable',
  DisableIdentityProviderDocument,
  'Disable sign-in through an identity provider',
  'Disabled',
  {
    warning: ({ is_required }) => (is_required ? required : ''),
  },
)
export const providerEnable = changeCommand('enable', EnableIdentityProviderDocument, 'Enable a disabled identity provider', 'Enabled')

function changeCommand(
  verb: 'disable' | 'enable',
  document: typeof DisableIdentityProviderDocument,
  summary: string,
  done: string,
  { warning = () => '' }: { warning?(provider: ProviderOutputFragment): string } = {},
): Command {
  return command({
    name: `provider ${verb}`,
    summary,
    description: 'The owners of the team receive an email.',
    positionals: identifier,
    run: ({ positionals: { id } }) =>
      asOperator(async (execute) => {
        const { identityProvider: provider } = (await execute(document, { id })).payload
        return { value: provider, text: `${done} identity provider ${provider.id}.${warning(provider)}` }
      }),
  })
}

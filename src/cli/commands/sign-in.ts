import { wholeNumber } from '../argument-values.ts'
import { command, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { asOperator } from '../context.ts'
import {
  DomainsDocument,
  TeamDomainsDocument,
  DisableIdentityProviderDocument,
  EnableIdentityProviderDocument,
  ProvidersDocument,
  SetSignInRequirementDocument,
} from '../generated/operations.ts'
import type { TeamDomainsOutputFragment, ProviderOutputFragment, SignInRequirementOutputFragment } from '../generated/operations.ts'
import { table } from '../terminal/table.ts'

const getDomainState = ({ verified_at, missing_since }: TeamDomainsOutputFragment['domains'][number]) =>
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
    const rows = data.map((each) => [each.domain, getDomainState(each), each.team, each.verified_at, each.checked_at, each.missing_since])
    return { value: { data }, text: table(['domain', 'state', 'team', 'verified', 'checked', 'missing since'], rows) }
  },
})

const identifier = { id: { stored: 'provider', description: 'identifier of the identity provider, as shown by provider list' } } as const

const getProviderState = ({ disabled_at, tested_at, is_required }: ProviderOutputFragment) =>
  [disabled_at !== null ? 'disabled' : tested_at === null ? 'not tested' : 'tested', ...(is_required ? ['required'] : [])].join(', ')

/** Returns a provider as `--json` prints it: with its kind as in import records and metrics. */
const toPrinted = (provider: ProviderOutputFragment) => ({ ...provider, kind: provider.kind.toLowerCase() })

export const providerList = command({
  name: 'provider list',
  summary: 'List the identity providers of a team',
  options: { team: { value: 'SLUG', stored: 'team', required: true, description: 'slug of the team' } },
  run: async ({ options: { team: slug } }) => {
    const { team } = await asOperator((execute) => execute(ProvidersDocument, { slug }))
    const data = team.data.map(toPrinted)
    const rows = team.data.map((each) => [
      each.name,
      getProviderState(each),
      each.id,
      String(each.linked_users),
      each.last_sign_in_at,
      each.issuer,
    ])
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
        return { value: toPrinted(provider), text: `${done} identity provider ${provider.id}.${warning(provider)}` }
      }),
  })
}

const dayMilliseconds = 86_400_000

const formatText = ({ slug, sign_in_requirement: required }: SignInRequirementOutputFragment) =>
  required === null
    ? `Team ${slug} does not require sign-in.`
    : `Team ${slug} requires sign-in through ${required.provider.name} from ${new Date(required.from).toISOString()}.`

export const teamRequireSignIn = command({
  name: 'team require-sign-in',
  summary: 'Require sign-in through an identity provider in a team, or stop requiring it',
  description: `Members with an email address of a verified domain of the team, and those who have signed in there before, receive an email. Team
tokens keep working.`,
  positionals: { slug: { stored: 'team', description: 'slug of the team' } },
  options: {
    provider: { value: 'ID', stored: 'provider', description: 'identifier of the identity provider, as shown by provider list' },
    'grace-days': {
      value: 'DAYS',
      description:
        'days until it is required; without the option a new requirement begins immediately, and the time of the present one stays',
    },
    off: { description: 'require it no longer' },
  },
  run: ({ positionals: { slug }, options: { provider, 'grace-days': graceDays, off } }) =>
    asOperator(async (execute) => {
      if (off === (provider !== undefined)) throw new UsageError('one of --provider and --off is required')
      if (off && graceDays !== undefined) throw new UsageError('--grace-days needs --provider')
      const days = wholeNumber(graceDays, '--grace-days')
      const from = days === undefined ? undefined : new Date(Date.now() + days * dayMilliseconds).toISOString()
      const input = { team: slug, providerId: provider ?? null, from }
      const { payload } = await execute(SetSignInRequirementDocument, { input })
      return { value: payload.team, text: formatText(payload.team) }
    }),
})

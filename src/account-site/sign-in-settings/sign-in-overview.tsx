import { maxProviders } from '../../../schema/identity-providers/rules.ts'
import { copyScript } from '../../web/components/copy-button.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { page } from '../framework/page.ts'
import { SignInSettingsDocument } from '../generated/operations.ts'
import type { ProviderPartsFragment, SignInSettingsQuery } from '../generated/operations.ts'
import type { PageContext } from '../framework/page-context.ts'
import { DataTable } from '../table/data-table.tsx'
import { defineTable } from '../table/declaration.ts'
import { nextStep, protocolAndHost, ProviderStateBadge } from './provider-state.tsx'
import { SignInSteps } from './set-up-steps.tsx'
import { SettingSections } from './setting-sections.tsx'

export const signInSettingsPath = '/teams/:team/sign-in'

const table = defineTable({
  noun: ['identity provider', 'identity providers'],
  getName: ({ name }: ProviderPartsFragment) => name,
  filters: {},
  columns: [
    {
      label: 'Name',
      phone: 'name',
      cell: (provider, { path }) => (
        <span class="named">
          <a href={`${path}/${provider.providerId}`}>
            <bdi>{provider.name}</bdi>
          </a>{' '}
          <span class="about">{protocolAndHost(provider)}</span>
        </span>
      ),
    },
    { label: 'Status', phone: 'state', cell: (provider) => <ProviderStateBadge {...provider} /> },
    { label: 'Users', phone: 'detail', kind: 'amount', cell: ({ linkedUsers }) => linkedUsers.toLocaleString('en') },
    { label: 'Last sign-in', phone: 'labelled state', cell: ({ lastSignInAt }) => <RelativeTime at={lastSignInAt} /> },
  ],
  sort: 'CREATED',
  empty:
    'Add the identity provider of your organization, such as Entra ID, Okta, Google Workspace or Keycloak. Members can then sign in with the account that they have there.',
})

/** The sign-in of the team's members: the identity providers, and their consequences. */
export const signInSettings = page({
  path: signInSettingsPath,
  title: 'Sign-in',
  nav: { group: 'security', icon: 'enter', order: 0 },
  scripts: [copyScript],
  document: SignInSettingsDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  view: ({ team }, ctx) => (
    <>
      <p>Members can sign in with the accounts that they have at the identity provider of your organization (single sign-on).</p>
      <SignInSteps team={team} path={ctx.path} />
      <Providers team={team} ctx={ctx} />
      <SettingSections team={team} path={ctx.path} now={ctx.site.now()} />
    </>
  ),
})

const Providers = ({ team: { identityProviders }, ctx }: { team: SignInSettingsQuery['team']; ctx: PageContext }) => (
  <DataTable
    table={table}
    ctx={ctx}
    list={{ nodes: identityProviders, total: identityProviders.length, page: 1, lastPage: 1 }}
    actions={
      identityProviders.length >= maxProviders ? (
        <span class="hint">A team can have {maxProviders}. Delete one to add another.</span>
      ) : (
        <a class="button" href={`${ctx.path}/new`}>
          New identity provider
        </a>
      )
    }
  >
    {identityProviders.map((provider) => (
      <NextStep provider={provider} path={ctx.path} />
    ))}
  </DataTable>
)

function NextStep({ provider, path }: { provider: ProviderPartsFragment; path: string }) {
  const step = nextStep(provider)
  if (step === null) return null
  return (
    <p class="caution">
      <a href={`${path}/${provider.providerId}`}>
        <bdi>{provider.name}</bdi>
      </a>
      : {step}
    </p>
  )
}

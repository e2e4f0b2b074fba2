import { maxProviders } from '../../../schema/identity-providers/rules.ts'
import { copyScript } from '../../web/components/copy-button.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { page } from '../framework/page.ts'
import { SignInSettingsDocument } from '../generated/operations.ts'
import type { ProviderPartsFragment, SignInSettingsQuery } from '../generated/operations.ts'
import type { PageContext } from '../framework/page-context.ts'
import { DataTable } from '../table/data-table.tsx'
import { defineTable } from '../table/declaration.ts'
import { CopiedValues } from './copied-value.tsx'
import { nextStep, protocolAndHost, ProviderStateBadge } from './provider-state.tsx'
import { counted } from '../labels.ts'

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
    { label: 'Last sign-in', phone: 'labelled state', cell: ({ lastSignInAt }) => <LastSignIn at={lastSignInAt} /> },
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
      <Providers team={team} ctx={ctx} />
      <RequiredSignInSections path={ctx.path} />
      <DirectorySection users={team.directoryUsers.total} path={ctx.path} />
      <GroupsSection groups={team.groupRoles.length} path={ctx.path} />
      {team.identityProviders.length > 0 && <AddressSection signInUrl={team.signInUrl} />}
    </>
  ),
})

const Providers = ({ team: { identityProviders }, ctx }: { team: SignInSettingsQuery['team']; ctx: PageContext }) => (
  <>
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
    />
    {identityProviders.map((provider) => (
      <NextStep provider={provider} path={ctx.path} />
    ))}
  </>
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

const AddressSection = ({ signInUrl }: { signInUrl: string }) => (
  <section>
    <h2>Sign-in URL</h2>
    <p>Members sign in at this URL. You can also enter it at your identity provider, so that the service appears among the apps there.</p>
    <CopiedValues values={[{ id: 'sign-in-url', label: 'URL', copied: 'URL', value: signInUrl }]} />
  </section>
)

/** The time of a user's last sign-in through a provider. */
export const LastSignIn = ({ at }: { at: string | null }) => (at === null ? <>Never</> : <RelativeTime at={at} />)

/** Links from the sign-in settings of a team to its domains and to the requirement. */
const RequiredSignInSections = ({ path }: { path: string }) => (
  <>
    <section aria-labelledby="domains">
      <h2 id="domains">Domains</h2>
      <p>Verify the domains of your members’ email addresses, so that they are offered your identity provider when they sign in.</p>
      <a class="button second" href={`${path}/domains`}>
        View the domains
      </a>
    </section>
    <section aria-labelledby="requirement">
      <h2 id="requirement">Required sign-in</h2>
      <p>You can require members with an email address in a verified domain to sign in through your identity provider.</p>
      <a class="button second" href={`${path}/requirement`}>
        View the requirement
      </a>
    </section>
  </>
)

/** A link from the sign-in settings to the directory. `users` is the number that it has sent. */
const DirectorySection = ({ users, path }: { users: number; path: string }) => (
  <section aria-labelledby="directory">
    <h2 id="directory">Directory</h2>
    <p>
      {users === 0
        ? 'The directory of your organization can add and remove members, and send its groups (SCIM 2.0).'
        : `The directory of your organization has sent ${counted(users, 'user', 'users')}, whose membership it manages.`}
    </p>
    <a class="button second" href={`${path}/directory`}>
      View the directory
    </a>
  </section>
)

/** The number of groups with a role, and the link to them, on the page of the sign-in settings. */
const GroupsSection = ({ groups, path }: { groups: number; path: string }) => (
  <section aria-labelledby="groups">
    <h2 id="groups">Groups</h2>
    <p>
      {groups === 0
        ? 'Groups of your organization can decide the role and the products of their members.'
        : `${counted(groups, 'group decides', 'groups decide')} the role and the products of their members.`}
    </p>
    <a class="button second" href={`${path}/groups`}>
      View the groups
    </a>
  </section>
)

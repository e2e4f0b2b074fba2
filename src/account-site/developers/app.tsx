import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { copyScript } from '../../web/components/copy-button.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { isolateName } from '../../web/display-name.ts'
import { page } from '../framework/page.ts'
import { DeveloperAppDocument } from '../generated/operations.ts'
import type { DeveloperAppQuery } from '../generated/operations.ts'
import { appForms } from './form/app-forms.ts'
import { actsForTeam, grantLabels, hasUsers, usesCodeFlow } from './form/app-kinds.ts'
import { ChangesBadge, AppStateBadge } from './app-state.tsx'
import { developersPath, LastUsed } from './apps.tsx'
import { QuickStart } from './quick-start.tsx'
import { ChangesSection, ReviewSection } from './review.tsx'
import { SecretsSection } from './secrets.tsx'
import { AppSettingsSection } from './app-settings.tsx'
import { TrySection, tryScript } from './try-app.tsx'
import { FailuresSection, UsageSection } from './usage.tsx'

type App = DeveloperAppQuery['team']['client']

/** An app: its availability, samples, refused requests, connections, and settings. */
export const app = page({
  path: `${developersPath}/:client`,
  title: ({ team: { client } }) => isolateName(client.name),
  badge: ({ team: { client } }) => (
    <>
      <AppStateBadge {...client} /> <ChangesBadge {...client} />
    </>
  ),
  parent: developersPath,
  scripts: [copyScript, tryScript],
  document: DeveloperAppDocument,
  variables: (ctx) => ({ team: ctx.param('team'), client: ctx.param('client') }),
  forms: appForms,
  view: ({ team: { client } }, ctx) => (
    <>
      <About app={client} />
      {client.proposedChanges.length > 0 && <ChangesSection changes={client.proposedChanges} />}
      {usesCodeFlow(client) && <TrySection app={client} authUrl={ctx.site.authUrl} path={ctx.path} />}
      <QuickStart app={client} authUrl={ctx.site.authUrl} />
      <FailuresSection failures={client.failures} />
      {(hasUsers(client) || client.live.total > 0) && <UsageSection live={client.live} ctx={ctx} />}
      <AppSettingsSection app={client} />
      {client.confidential && <SecretsSection secrets={client.secrets} />}
      <RemovalSection app={client} />
    </>
  ),
})

const About = ({ app }: { app: App }) => (
  <section>
    <Facts>
      <Fact name="Client ID">
        <code>{app.clientId}</code>
      </Fact>
      <Fact name="Type">{app.confidential ? 'Confidential (has a secret)' : 'Public (has no secret)'}</Fact>
      <Fact name="Flows">{app.grantTypes.map((grant) => grantLabels[grant]?.label ?? grant).join(', ')}</Fact>
      <Fact name="Last used">
        <LastUsed app={app} />
      </Fact>
      <Fact name="Created">
        <RelativeTime at={app.createdAt} />
      </Fact>
    </Facts>
    {app.disabledAt !== null && <p class="alert">An operator of this service has disabled the app. It cannot be used.</p>}
    <ReviewSection app={app} />
    <nav class="links" aria-label="On this page">
      {listSections(app).map(([id, label]) => (
        <a href={`#${id}`}>{label}</a>
      ))}
    </nav>
  </section>
)

const listSections = (app: App): [id: string, label: string][] => [
  ...(usesCodeFlow(app) ? [['try', 'Try it'] as [string, string]] : []),
  ['quick-start', 'Quick start'],
  ['failures', 'Refused requests'],
  ...(hasUsers(app) || app.live.total > 0 ? [['usage', 'Connections'] as [string, string]] : []),
  ['update', 'Settings'],
  ...(app.confidential ? [['rotate', 'Client secret'] as [string, string]] : []),
  ['remove', 'Delete'],
]

const RemovalSection = ({ app }: { app: App }) => (
  <FieldGroup id="remove" title="Delete this app" about="The app can no longer use this service." isDangerous>
    <ConfirmDialog summary="Delete…" objectName={app.name} form="delete" button="Delete this app">
      {app.live.total > 0 && `${listConnections(app)} immediately. `}
      {actsForTeam(app) && 'The app loses its access to this team immediately. '}
      Its client ID and settings are deleted. You cannot undo this.
    </ConfirmDialog>
  </FieldGroup>
)

const listConnections = ({ live: { total } }: App) =>
  total === 1 ? 'Its connection ends' : `Its ${total.toLocaleString('en')} connections end`

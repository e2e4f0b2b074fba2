import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { page } from '../framework/page.ts'
import { DeveloperAppSettingsDocument } from '../generated/operations.ts'
import type { DeveloperAppSettingsQuery } from '../generated/operations.ts'
import { appPage, appSettingsPath } from './app-page.tsx'
import { AppNameField, InReview, RedirectUrisField, TeamModeField } from './form/app-fields.tsx'
import { appSettingsForms } from './form/app-forms.ts'
import { actsForTeam, grantLabels } from './form/app-kinds.ts'
import { AdvancedFields, Optional } from './form/protocol-fields.tsx'
import { ScopeTable } from './form/scope-table.tsx'
import { SecretsSection } from './secrets.tsx'

type App = DeveloperAppSettingsQuery['team']['client']

/** The settings of an app: all that its team can change, its secret, and its deletion. */
export const appSettings = page({
  ...appPage,
  path: appSettingsPath,
  document: DeveloperAppSettingsDocument,
  forms: appSettingsForms,
  view: ({ team: { client } }) => (
    <>
      {client.state === 'LISTED' && (
        <p class="caution banner">
          The app is published. Changes to its name, logo or publisher, additional permissions, and redirect URIs on other hosts must be
          approved first. Other changes take effect immediately.
        </p>
      )}
      <SettingsForm app={withProposed(client)} />
      {client.confidential && <SecretsSection secrets={client.secrets} />}
      <RemovalSection app={client} />
    </>
  ),
})

const SettingsForm = ({ app }: { app: App }) => (
  <Form name="update">
    <FieldGroup id="update" title="App" about="The name and the description are shown on the consent page.">
      <AppNameField value={app.name} isInReview={isInReview(app, 'name')} />
      <Optional name="description" label="Description" value={app.description} max={1000} />
    </FieldGroup>
    <FieldGroup id="flows" title="Flows" about="How the app gets tokens, and where the browser returns after a user has allowed access.">
      <Choices
        name="grantTypes"
        legend="Flows"
        noun="flow"
        type="checkbox"
        options={Object.entries(grantLabels).map(([value, { label, hint }]) => ({ value, label, hint }))}
        checked={app.grantTypes}
        isLegendHidden
      />
      <RedirectUrisField value={app.redirectUris.join('\n')} isInReview={isInReview(app, 'redirectUris')} />
    </FieldGroup>
    <FieldGroup
      id="permissions"
      title="Permissions"
      about={
        <>
          {isInReview(app, 'optionalScopes', 'requiredScopes') && <InReview />}
          The app can ask for the permissions under “Ask”. Users cannot decline those under “Always”.
        </>
      }
    >
      <ScopeTable optional={app.optionalScopes} required={app.requiredScopes} hasRequired />
    </FieldGroup>
    <FieldGroup id="teams" title="Access to teams" about="The teams of a user that the app reaches.">
      <TeamModeField selected={app.team} isLegendHidden />
    </FieldGroup>
    <FieldGroup id="consent" title="Consent page" about="What users see about the publisher of the app before they allow access.">
      <Optional name="publisher" label="Publisher" value={app.publisher} hint={publisherHint(app)} />
      <Optional name="logoUri" label="Logo URL" value={app.logoUri} />
      <Optional name="clientUri" label="Home page" value={app.clientUri} />
      <Optional name="policyUri" label="Privacy policy" value={app.policyUri} />
      <Optional name="tosUri" label="Terms of service" value={app.tosUri} />
    </FieldGroup>
    <AdvancedFields app={app} />
    <Buttons isSticky>
      <Button>Save</Button>
    </Buttons>
  </Form>
)

const isInReview = ({ proposedChanges }: App, ...members: string[]) => proposedChanges.some(({ member }) => members.includes(member))

const publisherHint = ({ verified }: App) =>
  verified ? 'Verified by the operators of this service.' : 'Users see a warning until the operators of this service have verified it.'

/** Returns the app with the texts that wait for a review in place of the current ones, because saving submits them again. */
function withProposed(app: App): App {
  const values: Record<string, string | string[] | null> = {}
  for (const { member, proposed } of app.proposedChanges) {
    const live: unknown = Reflect.get(app, member)
    if (Array.isArray(live)) values[member] = proposed
    else if (member !== 'team' && (live === null || typeof live === 'string')) values[member] = proposed[0] ?? null
  }
  return { ...app, ...values }
}

const RemovalSection = ({ app }: { app: App }) => (
  <FieldGroup id="remove" title="Delete this app" about="Its client ID and settings are deleted." isDangerous>
    <ConfirmDialog summary="Delete…" objectName={app.name} form="delete" button="Delete this app">
      {app.grants.total > 0 && `${listConnections(app)} immediately. `}
      {actsForTeam(app) && 'The app loses its access to this team immediately. '}
      Its client ID and settings are deleted. You cannot undo this.
    </ConfirmDialog>
  </FieldGroup>
)

const listConnections = ({ grants: { total } }: App) =>
  total === 1 ? 'Its connection ends' : `Its ${total.toLocaleString('en')} connections end`

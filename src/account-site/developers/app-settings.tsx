import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { FoldedSection } from '../../web/components/forms/folded-section.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import type { DeveloperAppQuery } from '../generated/operations.ts'
import { AppNameField, RedirectUrisField, TeamModeField } from './form/app-fields.tsx'
import { grantLabels } from './form/app-kinds.ts'
import { KeyFields, Optional, ProtocolFields } from './form/protocol-fields.tsx'
import { ScopeTable } from './form/scope-table.tsx'

type App = DeveloperAppQuery['team']['client']

/** All settings of an app that its team can change. Values that wait for a review are shown, because saving submits them again. */
export const AppSettingsSection = ({ app: live }: { app: App }) => {
  const app = withProposed(live)
  return (
    <FoldedSection id="update" title="Settings">
      {live.state === 'LISTED' && (
        <p class="caution">
          The app is published. Changes to its name, logo or publisher, additional permissions, and redirect URIs on other hosts must be
          approved first. Other changes take effect immediately.
        </p>
      )}
      <Form name="update">
        <FieldGroup id="app" title="App" about="How users recognize the app.">
          <AppNameField value={app.name} />
          <Optional name="description" label="Description" value={app.description} hint="Users see it when they allow access." max={1000} />
        </FieldGroup>
        <FieldGroup
          id="flows"
          title="Sign-in"
          about="How the app gets tokens, and where the browser returns after a user has allowed access."
        >
          <Choices
            name="grantTypes"
            legend="Flows"
            noun="flow"
            type="checkbox"
            options={Object.entries(grantLabels).map(([value, { label, hint }]) => ({ value, label, hint }))}
            checked={app.grantTypes}
          />
          <RedirectUrisField value={app.redirectUris.join('\n')} />
        </FieldGroup>
        <FieldGroup
          id="permissions"
          title="Permissions"
          about="The app can ask for the permissions under “Ask”. Users cannot decline those under “Always”."
        >
          <ScopeTable optional={app.optionalScopes} required={app.requiredScopes} hasRequired />
        </FieldGroup>
        <FieldGroup id="teams" title="Access to teams" about="The teams of a user that the app reaches.">
          <TeamModeField selected={app.team} isLegendHidden />
        </FieldGroup>
        <FieldGroup id="consent" title="Consent page" about="What users see about the app before they allow access.">
          <Optional name="publisher" label="Publisher" value={app.publisher} hint={publisherHint(app)} />
          <Optional name="logoUri" label="Logo URL" value={app.logoUri} />
          <Optional name="clientUri" label="Home page" value={app.clientUri} />
          <Optional name="policyUri" label="Privacy policy" value={app.policyUri} />
          <Optional name="tosUri" label="Terms of service" value={app.tosUri} />
        </FieldGroup>
        {app.confidential && <KeyFields app={app} />}
        <ProtocolFields app={app} />
        <Buttons>
          <Button>Save</Button>
        </Buttons>
      </Form>
    </FoldedSection>
  )
}

const publisherHint = ({ verified }: App) =>
  verified ? 'Verified by the operators of this service.' : 'Users see a warning until the operators of this service have verified it.'

/** Returns the app with the texts that wait for a review in place of the current ones. */
function withProposed(app: App): App {
  const values: Record<string, string | string[] | null> = {}
  for (const { member, proposed } of app.proposedChanges) {
    const live: unknown = Reflect.get(app, member)
    if (Array.isArray(live)) values[member] = proposed
    else if (member !== 'team' && (live === null || typeof live === 'string')) values[member] = proposed[0] ?? null
  }
  return { ...app, ...values }
}

import { maxTeamClients } from '../../../schema/oauth/team-clients/own-client.ts'
import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { CreateTeamClientDocument, DeveloperAppsDocument } from '../generated/operations.ts'
import { AppNameField, RedirectUrisField, TeamModeField } from './form/app-fields.tsx'
import { newAppFields, newAppInput } from './form/app-forms.ts'
import { kinds } from './form/app-kinds.ts'
import { developersPath } from './apps.tsx'
import { Programs } from './programs.tsx'
import { ScopeTable } from './form/scope-table.tsx'
import { clientSecretPage } from './secrets.tsx'

/** Permissions that most apps need, for the identity of the user and of the team. */
const initialScopes = ['acct:team:read', 'profile', 'email', 'offline_access']

/** Registers an app and shows its secret once. The page queries the apps, so that only users who can see them get the form. */
export const newApp = page({
  path: `${developersPath}/new`,
  title: 'New app',
  parent: developersPath,
  recentSignIn: true,
  scripts: [copyScript],
  document: DeveloperAppsDocument,
  variables: (ctx) => ({ team: ctx.param('team'), perPage: maxTeamClients }),
  forms: {
    create: form({
      fields: newAppFields,
      document: CreateTeamClientDocument,
      variables: (fields, ctx) => ({ input: { team: ctx.param('team'), ...newAppInput(fields) } }),
      onSuccess({ createTeamClient: { client, clientSecret } }, ctx) {
        const path = `/teams/${ctx.param('team')}/developers/${client.clientId}`
        if (clientSecret === null) return `${path}/quick-start`
        const programs = (
          <>
            <h2>Quick start</h2>
            <p>Copy a program to a file, start it as its first line says, and allow access in the browser.</p>
            <Programs app={client} authUrl={ctx.site.authUrl} />
          </>
        )
        return clientSecretPage({ client, clientSecret }, `${path}/quick-start`, programs)
      },
      notice: 'The app was created.',
    }),
  },
  view: (_, ctx) => (
    <Form name="create">
      <FieldGroup id="app" title="App" about="The kind decides how the app signs users in, and whether it has a client secret.">
        <AppNameField />
        <Choices
          name="kind"
          legend="Kind"
          noun="a kind"
          type="radio"
          options={Object.entries(kinds).map(([value, { label, hint }]) => ({ value, label, hint }))}
          checked={['web']}
        />
      </FieldGroup>
      <FieldGroup
        id="return"
        title="Return to the app"
        about="Where the browser returns after a user has allowed access. Devices without a browser and services need no redirect URI."
      >
        <RedirectUrisField />
      </FieldGroup>
      <FieldGroup
        id="permissions"
        title="Permissions"
        about={
          <>
            <p>What the app can ask for. Users can decline each permission, except sign-in.</p>
            <p>You can change everything on this page later, but not whether the app has a secret.</p>
          </>
        }
      >
        <ScopeTable optional={initialScopes} required={['openid']} hasRequired={false} />
      </FieldGroup>
      <FieldGroup id="teams" title="Access to teams" about="The teams of a user that the app reaches.">
        <TeamModeField isLegendHidden />
      </FieldGroup>
      <Buttons>
        <Button>Create app</Button>
        <a class="button second" href={developersPath.replace(':team', ctx.param('team'))}>
          Cancel
        </a>
      </Buttons>
    </Form>
  ),
})

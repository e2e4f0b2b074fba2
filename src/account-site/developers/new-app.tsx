import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { CreateTeamClientDocument, DeveloperAppsDocument } from '../generated/operations.ts'
import { NameField, RedirectUrisField, TeamModeField } from './app-fields.tsx'
import { newAppFields, newAppInput } from './app-input.ts'
import { kinds } from './app-kinds.ts'
import { developersPath } from './apps.tsx'
import { ScopeTable } from './scope-table.tsx'
import { secretPage } from './secret-page.tsx'

/** What most apps need: to know who signs in, and for which team. */
const initialScopes = ['acct:team:read', 'profile', 'email', 'offline_access']

/** Registers an app and shows its secret once. The page queries the apps, so that only users who can see them get the form. */
export const newApp = page({
  path: `${developersPath}/new`,
  title: 'New app',
  parent: developersPath,
  recentSignIn: true,
  scripts: [copyScript],
  document: DeveloperAppsDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: {
    create: form({
      fields: newAppFields,
      document: CreateTeamClientDocument,
      variables: (fields, ctx) => ({ input: { team: ctx.param('team'), ...newAppInput(fields) } }),
      onSuccess({ createTeamClient: { client, clientSecret } }, ctx) {
        const path = `/teams/${ctx.param('team')}/developers/${client.clientId}`
        return clientSecret === null ? path : secretPage({ ...client, secret: clientSecret, path })
      },
      notice: 'The app was created. Try it below.',
    }),
  },
  view: () => (
    <Form name="create">
      <NameField />
      <Choices
        name="kind"
        legend="Kind"
        noun="a kind"
        type="radio"
        options={Object.entries(kinds).map(([value, { label, hint }]) => ({ value, label, hint }))}
        checked={['web']}
      />
      <RedirectUrisField />
      <ScopeTable optional={initialScopes} required={['openid']} hasRequired={false} />
      <p class="hint">
        The app may ask for these permissions; users can decline them one by one. You can change everything but the kind later.
      </p>
      <TeamModeField />
      <Buttons>
        <Button>Create app</Button>
      </Buttons>
    </Form>
  ),
})

import { isOnOwnComputer, ownComputerUri } from '../../../rest-facade/openapi/quick-start.ts'
import { isPrivateUse } from '../../../schema/core/outgoing/url-rules.ts'
import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { page } from '../framework/page.ts'
import { DeveloperAppSettingsDocument } from '../generated/operations.ts'
import type { DeveloperAppSettingsQuery } from '../generated/operations.ts'
import { CopiedValues } from '../sign-in-settings/copied-value.tsx'
import { appPage, quickStartPath } from './app-page.tsx'
import { quickStartForms } from './form/app-forms.ts'
import { usesCodeFlow } from './form/app-kinds.ts'
import { chooseRedirectUri, Programs } from './programs.tsx'
import { TrySection, tryScript } from './try-app.tsx'

type App = DeveloperAppSettingsQuery['team']['client']

/** What a developer does first: try the app in the browser, and run a program. */
export const quickStart = page({
  ...appPage,
  path: quickStartPath,
  scripts: [copyScript, tryScript],
  document: DeveloperAppSettingsDocument,
  forms: quickStartForms,
  view: ({ team: { client } }, ctx) => (
    <>
      {usesCodeFlow(client) && <TrySection app={client} authUrl={ctx.site.authUrl} path={ctx.path} />}
      <ProgramsSection app={client} authUrl={ctx.site.authUrl} />
    </>
  ),
})

/** Identifiers and URLs that a developer needs first, and programs that contain them. */
const ProgramsSection = ({ app, authUrl }: { app: App; authUrl: string }) => (
  <section id="quick-start">
    <h2>Run a program</h2>
    <CopiedValues
      values={[
        { id: 'client-id', label: 'Client ID', copied: 'client ID', value: app.clientId },
        { id: 'issuer', label: 'Issuer', copied: 'issuer', value: authUrl },
        {
          id: 'discovery',
          label: 'Discovery document',
          copied: 'URL',
          value: `${authUrl}/.well-known/openid-configuration`,
          isLink: true,
        },
      ]}
    />
    <p>
      OpenID Connect libraries need only these values. Each program below shows every request. Copy one to a file, start it as its first
      line says, and allow access in the browser.
      {app.confidential && (
        <>
          {' '}
          The programs read the client secret from the environment variable <code>CLIENT_SECRET</code>.
        </>
      )}
    </p>
    {sendsUnsupported(app) && (
      <p class="caution">
        The app requires keys, DPoP or pushed authorization requests, which these programs do not send. To run them, turn these settings
        off.
      </p>
    )}
    {usesCodeFlow(app) && !isOnOwnComputer(chooseRedirectUri(app)) && <OwnComputer app={app} />}
    <Programs app={app} authUrl={authUrl} />
  </section>
)

const sendsUnsupported = (app: App) => app.requireKeyAuthentication || app.dpopBoundAccessTokens || app.requirePushedAuthorizationRequests

/** Explains where the programs run, and offers a redirect URI on the computer of the developer. */
function OwnComputer({ app }: { app: App }) {
  const uri = chooseRedirectUri(app)
  const proposed = app.proposedChanges.find(({ member }) => member === 'redirectUris')?.proposed
  return (
    <>
      <p class="caution">
        {isPrivateUse(uri) ? (
          <>
            The redirect URI <code>{uri}</code> leads to an installed app, where these programs cannot run.{' '}
          </>
        ) : (
          <>
            The redirect URI of the app is on <strong>{new URL(uri).host}</strong>. The programs must run on the server of that host.{' '}
          </>
        )}
        {proposed?.some(isOnOwnComputer) === true ? (
          'The redirect URI on your computer is waiting for review.'
        ) : (
          <>
            To run them on your computer, add the redirect URI <code>{ownComputerUri}</code>.
          </>
        )}
      </p>
      {proposed?.some(isOnOwnComputer) !== true && (
        <Form name="addRedirectUri" hidden={{ redirectUris: [...(proposed ?? app.redirectUris), ownComputerUri].join('\n') }}>
          <Buttons>
            <Button kind="second">Add redirect URI</Button>
          </Buttons>
        </Form>
      )}
    </>
  )
}

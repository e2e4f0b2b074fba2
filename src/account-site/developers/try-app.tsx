import { applicationsPath, tryAppPath } from '../../web/page-paths.ts'
import { page } from '../framework/page.ts'
import { developersPath } from './apps.tsx'
import type { DeveloperAppSettingsQuery } from '../generated/operations.ts'

/** Script that runs the authorization code flow, on the page of an app and on the page to which the browser returns. */
export const tryScript = 'try-app.js'

/** Parts that the script fills in, in the order of the requests. */
const results = [
  ['tokens', 'Token response', 'Tokens are shortened.'],
  ['id-token', 'Claims of the ID token', 'Information about the user who signed in, signed by this service.'],
  ['userinfo', 'UserInfo', 'GET /api/oauth/userinfo with the access token.'],
  ['account', 'Account information', 'GET /api/v1/user with the access token.'],
] as const

/** The page to which the browser returns after a developer tries an app. The script exchanges the code and shows the responses. */
export const tryApp = page({
  path: tryAppPath,
  title: 'Try an app',
  parent: applicationsPath,
  scripts: [tryScript],
  view: (_, { currentTeam }) => (
    <>
      <section data-tried>
        {/* The script replaces this text if an app is tried. Otherwise the text stays, so that nothing moves. */}
        <p role="status">Nothing was tried yet. Open an app of your team, and select “Connect my account” under “Quick start”.</p>
        <noscript>
          <p>This page needs JavaScript.</p>
        </noscript>
        <div class="buttons">
          <a class="button" href={currentTeam ? developersPath.replace(':team', currentTeam.team.slug) : applicationsPath}>
            {currentTeam ? 'Go to the apps of your team' : 'Your connected apps'}
          </a>
          <a class="button" hidden data-back href="/">
            Back to the app
          </a>
        </div>
      </section>
      {results.map(([id, title, about]) => (
        <section id={`answer-${id}`} hidden>
          <h2>{title}</h2>
          <p>{about}</p>
          <pre tabIndex={0} role="region" aria-label={title} />
        </section>
      ))}
    </>
  ),
})

interface TrySectionProps {
  app: DeveloperAppSettingsQuery['team']['client']
  authUrl: string
  /** Path of the app's page. */
  path: string
}

/** Lets developers connect their account to the app in the browser, before they write any code. */
export const TrySection = ({ app, authUrl, path }: TrySectionProps) => (
  <section id="try">
    <h2>Try it</h2>
    {app.dpopBoundAccessTokens || app.requirePushedAuthorizationRequests ? (
      <p>The app requires DPoP or pushed authorization requests, which this page does not send. To try the app here, turn them off.</p>
    ) : (
      <>
        <p>
          Connect your own account the way your users will: choose what to allow, and see the responses of this service. You do not need
          your redirect URIs or your secret. You can end the connection under Connected apps.
        </p>
        <div
          data-try={JSON.stringify({
            issuer: authUrl,
            path,
            parameters: {
              client_id: app.clientId,
              redirect_uri: authUrl + tryAppPath,
              response_type: 'code',
              scope: [...app.requiredScopes, ...app.optionalScopes].join(' '),
            },
          })}
        >
          {/* The script enables the button. Showing a hidden one would move the content below. */}
          <button type="button" class="second" disabled>
            Connect my account
          </button>
        </div>
        <noscript>
          <p class="hint">This needs JavaScript.</p>
        </noscript>
      </>
    )}
  </section>
)

import { tryAppPath } from '../../web/page-paths.ts'
import type { DeveloperAppQuery } from '../generated/operations.ts'

/** Runs the authorization code flow, on the page of an app and on the page to which the browser returns. */
export const tryScript = 'try-app.js'

interface TrySectionProps {
  app: DeveloperAppQuery['team']['client']
  authUrl: string
  /** The page of the app. */
  path: string
}

/** Connects the account of the developer by the app, in the browser, before there is any code. */
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
          {/* The script enables it. Showing it would move what is below. */}
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

import { applicationsPath, tryAppPath } from '../../web/page-paths.ts'
import { page } from '../framework/page.ts'
import { tryScript } from './try-section.tsx'

/** The parts that the script fills in, in the order of the requests. */
const results = [
  ['tokens', 'Token response', 'Tokens are shortened.'],
  ['id-token', 'Claims of the ID token', 'They say who signed in, and are signed by this service.'],
  ['userinfo', 'UserInfo', 'GET /api/oauth/userinfo with the access token.'],
  ['account', 'Account information', 'GET /api/v1/user with the access token.'],
] as const

/** Where the browser returns when a developer tries an app. The script exchanges the code and shows the responses. */
export const tryApp = page({
  path: tryAppPath,
  title: 'Try an app',
  parent: applicationsPath,
  scripts: [tryScript],
  view: () => (
    <>
      <section data-tried>
        {/* The script replaces it if an app is tried. Otherwise the words stay, so that nothing moves. */}
        <p role="status">Start on the page of an app, under “Try it”.</p>
        <noscript>
          <p>This page needs JavaScript.</p>
        </noscript>
        <div class="buttons">
          <a class="button second" href={applicationsPath}>
            Your connected apps
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

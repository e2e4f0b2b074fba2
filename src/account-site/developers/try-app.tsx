import { applicationsPath, tryAppPath } from '../../web/page-paths.ts'
import { page } from '../framework/page.ts'
import { tryScript } from './try-section.tsx'

/** What the script fills in, in the order of the requests. */
const results = [
  ['tokens', 'Answer of the token endpoint', 'The values of tokens are shortened.'],
  ['id-token', 'Claims of the ID token', 'Who has signed in, signed by this service.'],
  ['userinfo', 'UserInfo', 'GET /api/oauth/userinfo with the access token.'],
  ['account', 'Account information', 'GET /api/v1/user with the access token.'],
] as const

/** Where the browser returns when a developer tries an app. The script exchanges the code and shows the answers. */
export const tryApp = page({
  path: tryAppPath,
  title: 'Try an app',
  parent: applicationsPath,
  scripts: [tryScript],
  view: () => (
    <>
      <section data-tried>
        <p role="status">This page needs JavaScript, and the authorization of an app.</p>
        <div class="buttons">
          <a class="button" hidden data-back href="/">
            Back to the app
          </a>
          <a class="button second" href={applicationsPath}>
            Your connected apps
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

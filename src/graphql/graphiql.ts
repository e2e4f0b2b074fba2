import type { Router } from 'express'
import { texts } from './generated/texts.ts'
import { sendText } from './send-text.ts'
import { readStyles } from '../web/assets.ts'
import { readTheme } from '../web/brand/look.ts'
import type { Theme } from '../web/brand/look.ts'
import { serveBuiltFiles } from '../web/files/built-files.ts'

// GraphiQL is a page of our own origin, with the files that `npm run build` writes (build/graphiql.ts).

const startQuery = `query Start {
  viewer {
    kind
    teamSlugs
    scopes
  }
  teams {
    slug
    name
    members {
      total
    }
  }
}
`

// The examples are a line above the editor. Without these rules, a phone would show the panels side by side, each a few letters wide.
const style = `
  body { display: flex; flex-direction: column; height: 100vh; margin: 0; background: var(--paper); color: var(--text); }
  #root { flex: 1; min-height: 0; }
  .graphiql-container { --font-family: system-ui, sans-serif; --font-family-mono: ui-monospace, monospace; height: 100%; }
  body > nav { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 8px 16px; border-bottom: 1px solid var(--line); font: 14px system-ui, sans-serif; }
  body > nav h2 { margin: 0; font: inherit; font-weight: 600; }
  body > nav a { color: var(--accent); }
  @media (max-width: 700px) {
    body > nav { flex-wrap: nowrap; gap: 0 20px; padding-block: 0; overflow-x: auto; line-height: 44px; white-space: nowrap; }
    .graphiql-container .graphiql-main, #graphiql-session { flex-direction: column; }
    .graphiql-container .graphiql-horizontal-drag-bar, .graphiql-container .graphiql-logo { display: none; }
  }
`

interface FrameLook {
  theme: Theme
  brandColor: string
  /** Path of the folder with the files of GraphiQL. */
  folder: string
}

const pageAt = (now: Date, { theme, brandColor, folder }: FrameLook) => `<!doctype html>
<html lang="en" data-folder="${folder}"${theme === 'system' ? '' : ` data-theme="${theme}"`}>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>GraphiQL</title>
    <link rel="icon" href="data:," />
    <style>${readStyles(['frame/tokens'], brandColor).toString()}${style}</style>
    <link rel="stylesheet" href="${folder}/graphiql.css" />
    <script defer src="/graphql/start.js"></script>
    <script defer src="${folder}/graphiql.js"></script>
  </head>
  <body id="body" class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript; POST /graphql does not.</noscript>
    <nav aria-labelledby="examples">
      <h2 id="examples">Examples</h2>
      ${examplesAt(now)
        .map(({ title, href }) => `<a href="${href.replaceAll('&', '&amp;')}">${title}</a>`)
        .join('\n      ')}
    </nav>
    <div id="root"></div>
  </body>
</html>
`
const start = `const { folder, theme } = document.documentElement.dataset
self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => folder + '/worker-' + ({ json: 'json', graphql: 'graphql' }[label] ?? 'editor') + '.js',
}
// By default, subscriptions are sent with GET, for which a session is not accepted.
const options = ${JSON.stringify({
  endpoint: '/graphql',
  method: 'POST',
  title: 'GraphiQL',
  shouldPersistHeaders: false,
})}
// The history contains the header fields of requests. They are not stored, because one of them is the credential.
const storage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, /:(queries|favorites)$/.test(key) ? withoutHeaders(value) : value),
  removeItem: (key) => localStorage.removeItem(key),
  clear: () => localStorage.clear(),
  get length() { return localStorage.length },
}
const withoutHeaders = (history) => JSON.stringify(JSON.parse(history, (name, value) => (name === 'headers' ? undefined : value)))
// A signed-in user needs no other credential. A credential in the header fields takes precedence.
async function findEmail() {
  const body = JSON.stringify({ query: '{ viewer { user { email } } }' })
  const response = await fetch('/graphql', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  return response.ok ? (await response.json()).data.viewer.user.email : null
}
async function start() {
  // The user is looked up while the browser loads the library, which has run when this event follows.
  const [email] = await Promise.all([
    findEmail().catch(() => null),
    new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true })),
  ])
  const introduction = email === null
    ? '# Enter a token under “Headers” below:\\n#   { "Authorization": "Bearer tat_…" }\\n'
    : '# You are signed in as ' + email + '.\\n'
  if (email === null) options.headers = '{ "Authorization": "Bearer " }'
  else document.title = 'GraphiQL, signed in as ' + email
  // Not the option defaultQuery: it does not apply on the second visit. The edited query is in the URL.
  const parameters = new URLSearchParams(location.search)
  options.variables = parameters.get('variables') ?? undefined
  // The bundle would replace GraphiQL's own plugins, of which one is the history.
  options.plugins = undefined
  options.storage = storage
  // Users choose the theme on the pages of the site.
  options.forcedTheme = theme ?? 'system'
  // The address of the page around this frame can be bookmarked, as that of GraphiQL: both have the query.
  const replaceState = history.replaceState.bind(history)
  const copyAddress = () => parent !== window && parent.history.replaceState(null, '', '/graphiql' + location.search)
  history.replaceState = (...state) => (replaceState(...state), copyAddress())
  copyAddress()
  options.query = parameters.get('query') ?? introduction + ${JSON.stringify(startQuery)}
  YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), options)
}
start()
`

/** Only this page allows inline styles, which the editor sets on its elements. It loads nothing from other origins. */
const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/**
 * Serves GraphiQL as a frame of its page (account-site/graphiql.tsx), to which browsers that request HTML at `/` are redirected, and its
 * files. They contain no data and need no authentication.
 */
export function serveGraphiql(router: Router, now: () => Date): void {
  router.get('/', (request, response, next) => {
    // A request with a credential is an API request.
    if (request.headers.authorization !== undefined || request.accepts(['json', 'html']) !== 'html') return next('route')
    // The response is not cached, because other requests for this URL get JSON.
    response.set('Cache-Control', 'no-store').redirect(303, `/graphiql${new URL(request.originalUrl, 'http://service').search}`)
  })
  const library = serveBuiltFiles('graphiql')
  const folder = `/graphql/graphiql-${library.version}`
  router.get('/graphiql', (request, response) => {
    response.set('Cache-Control', 'no-store')
    response.set({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' })
    const look = { theme: readTheme(request), brandColor: response.app.locals.look.brand.color, folder }
    response.type('html').send(pageAt(now(), look))
  })
  router.get('/start.js', (request, response) => sendText(request, response, 'js', start))
  router.use(folder.replace('/graphql', ''), library.router)
}

// The operations that GraphiQL offers: the documents in dashboards/, which tests run with the clients of applications.

const day = 86_400_000

/** Returns variables for the documents that have some, in whole days from this time, in UTC. */
export function variablesAt(now: Date) {
  const inDays = (days: number) => new Date(Math.floor(now.getTime() / day + days) * day).toISOString()
  return {
    'audit-timeline': { since: inDays(-30) },
    'invoices-by-month': { since: inDays(-365).slice(0, 10) },
    'token-inventory': { expiresBefore: inDays(30), unusedSince: inDays(-90) },
  } satisfies Partial<Record<keyof typeof texts, object>>
}

/** Returns links to the examples. The title is the first line of the document up to the colon. */
function examplesAt(now: Date): { title: string; href: string }[] {
  const variables: Record<string, object> = variablesAt(now)
  return Object.entries(texts).map(([name, query]) => {
    const parameters = new URLSearchParams({ query, ...(variables[name] && { variables: JSON.stringify(variables[name], null, 2) }) })
    return { title: /^# ([^:]+):/.exec(query)?.[1] ?? name, href: `?${parameters.toString()}` }
  })
}

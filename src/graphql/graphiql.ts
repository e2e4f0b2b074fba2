import type { Router } from 'express'
import { texts } from './generated/texts.ts'
import { sendText } from './send-text.ts'

// GraphiQL is served as files of our own origin. The package contains them as strings for inline scripts, which our content security policy
// forbids. They are 9 MB, so they are loaded with the first request.

interface Sources {
  js: string
  css: string
  editorWorkerService: string
  jsonWorker: string
  graphqlWorker: string
}

const load = (): Promise<Sources> => import('@graphql-yoga/render-graphiql/graphiql')

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

// The examples are a line above the editor, in the colors of its two themes. Without these rules, a phone would show the panels side by
// side, each a few letters wide.
const style = `
  body { display: flex; flex-direction: column; height: 100vh; }
  #root { flex: 1; min-height: 0; }
  .graphiql-container { height: 100%; }
  body > nav { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 8px 16px; font: 14px system-ui, sans-serif; background: #fff; color: #3b4b68; }
  body > nav h2 { margin: 0; font: inherit; }
  body > nav a { color: #a3005d; }
  body.graphiql-dark > nav { background: #212a3b; color: #b7c2d7; }
  body.graphiql-dark > nav a { color: #ff8cc0; }
  @media (prefers-color-scheme: dark) {
    body:not(.graphiql-light) > nav { background: #212a3b; color: #b7c2d7; }
    body:not(.graphiql-light) > nav a { color: #ff8cc0; }
  }
  @media (max-width: 700px) {
    body > nav { flex-wrap: nowrap; overflow-x: auto; white-space: nowrap; }
    .graphiql-container .graphiql-main, #graphiql-session { flex-direction: column; }
    .graphiql-container .graphiql-horizontal-drag-bar, .graphiql-container .graphiql-logo { display: none; }
  }
`

const pageAt = (now: Date) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>GraphiQL</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/graphql/graphiql.css" />
    <style>${style}</style>
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
    <script src="/graphql/graphiql.js"></script>
    <script src="/graphql/start.js"></script>
  </body>
</html>
`
const start = `self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_, label) => '/graphql/worker-' + ({ json: 'json', graphql: 'graphql' }[label] ?? 'editor') + '.js',
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
  const email = await findEmail().catch(() => null)
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

const files: Record<string, { type: string; body: () => Promise<string> }> = {
  '/graphiql.css': { type: 'css', body: async () => (await load()).css },
  '/graphiql.js': { type: 'js', body: async () => (await load()).js },
  '/start.js': { type: 'js', body: async () => start },
  '/worker-editor.js': { type: 'js', body: async () => (await load()).editorWorkerService },
  '/worker-json.js': { type: 'js', body: async () => (await load()).jsonWorker },
  '/worker-graphql.js': { type: 'js', body: async () => (await load()).graphqlWorker },
}

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
  router.get('/graphiql', (_, response) => {
    response.set('Cache-Control', 'no-store')
    response.set({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' })
    response.type('html').send(pageAt(now()))
  })
  for (const [name, { type, body }] of Object.entries(files)) {
    router.get(name, async (request, response) => sendText(request, response, type, await body()))
  }
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

import { createHash } from 'node:crypto'
import type { Router } from 'express'

// GraphiQL as files of our own origin: the package has them as strings to be written into the page, which a policy
// without 'unsafe-inline' scripts forbids. They are 9 MB, so they are loaded when the first page asks for them.

interface Sources {
  js: string
  css: string
  editorWorkerService: string
  jsonWorker: string
  graphqlWorker: string
}

const load = (): Promise<Sources> => import('@graphql-yoga/render-graphiql/graphiql')

const startQuery = `query {
  viewer { kind teamSlugs scopes }
  teams { slug name members { total nodes { name role } } }
}
`

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>GraphiQL</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/graphql/graphiql.css" />
  </head>
  <body id="body" class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript; POST /graphql does not.</noscript>
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
const options = ${JSON.stringify({
  endpoint: '/graphql',
  title: 'GraphiQL',
  shouldPersistHeaders: false,
})}
// Whoever is signed in here needs no other credential, and another one would win.
async function findPerson() {
  const body = JSON.stringify({ query: '{ viewer { user { email } } }' })
  const answer = await fetch('/graphql', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  return answer.ok ? (await answer.json()).data.viewer.user.email : null
}
async function start() {
  const person = await findPerson().catch(() => null)
  const asWhom = person === null
    ? '# The credential goes into the header fields below:\\n#   { "Authorization": "Bearer tat_…" }\\n'
    : '# You are signed in as ' + person + ', who is asking here.\\n'
  if (person === null) options.headers = '{ "Authorization": "Bearer " }'
  else document.title = 'GraphiQL, signed in as ' + person
  // Not as its default query: on the second visit that would be an empty tab. What was edited is in the address.
  options.query = new URLSearchParams(location.search).get('query') ?? asWhom + ${JSON.stringify(startQuery)}
  YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), options)
}
start()
`

/** The editor sets styles of its own elements: `unsafe-inline` for styles, on this page alone. Nothing is fetched elsewhere. */
const policy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const files: Record<string, { type: string; body: () => Promise<string> }> = {
  '/graphiql.css': { type: 'css', body: async () => (await load()).css },
  '/graphiql.js': { type: 'js', body: async () => (await load()).js },
  '/start.js': { type: 'js', body: async () => start },
  '/worker-editor.js': { type: 'js', body: async () => (await load()).editorWorkerService },
  '/worker-json.js': { type: 'js', body: async () => (await load()).jsonWorker },
  '/worker-graphql.js': { type: 'js', body: async () => (await load()).graphqlWorker },
}

/** GraphiQL for browsers that ask for a page at `/`, and its files. Open to all: it holds no data. */
export function serveGraphiql(router: Router): void {
  router.get('/', (request, response, next) => {
    // A page cannot be asked for with a credential; with a query in its address it is one of GraphiQL's own, reloaded.
    if (request.headers.authorization !== undefined || request.accepts(['json', 'html']) !== 'html') return next('route')
    // Not kept: at the same address others get JSON.
    response.set('Cache-Control', 'no-store')
    response.set({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' })
    response.type('html').send(page)
  })
  for (const [name, { type, body }] of Object.entries(files)) {
    router.get(name, async (request, response) => {
      const text = await body()
      const tag = `"${createHash('sha256').update(text).digest('base64url')}"`
      response.set({ 'Cache-Control': 'no-cache', ETag: tag, 'X-Content-Type-Options': 'nosniff' })
      if (request.headers['if-none-match'] === tag) response.status(304).end()
      else response.type(type).send(text)
    })
  }
}

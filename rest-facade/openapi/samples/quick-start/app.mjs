// Connects an account to your app. Start it with `{{secretVariable}}node app.mjs`, then open {{startUrl}}
// {{origin}} must pass its requests to {{listen}}, where this program listens. {{remote}}
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const service = '{{authUrl}}'
const clientId = '{{clientId}}'
const redirectUri = '{{redirectUri}}'
const scope = '{{scope}}'
const secret = Buffer.from(`${clientId}:${process.env.CLIENT_SECRET}`).toString('base64') // {{confidential}}

const random = () => randomBytes(32).toString('base64url')

async function json(url, init) {
  const response = await fetch(url, init)
  const body = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`)
  return body
}

/** Sends the browser to the sign-in. The cookie ties the response to this browser. */
function connect(response) {
  const [state, verifier] = [random(), random()]
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const cookie = `connect=${state}.${verifier}; HttpOnly; SameSite=Lax; Path=/`
  response.writeHead(302, { location: `${service}/login/oauth/authorize?${parameters}`, 'set-cookie': cookie }).end()
}

/** Exchanges the code for tokens, and reads the account. */
async function callback(request, query) {
  const [, state, verifier] = /connect=([\w-]+)\.([\w-]+)/.exec(request.headers.cookie) ?? []
  if (query.get('error')) throw new Error(query.get('error_description') ?? query.get('error'))
  if (!state || query.get('state') !== state || query.get('iss') !== service) throw new Error('Start again.')
  const tokens = await json(`${service}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${secret}` }, // {{confidential}}
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: query.get('code'),
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  })
  return json(`${service}/api/v1/user`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
}

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, redirectUri)
  const isCallback = pathname === '{{callbackPath}}' && searchParams.has('state')
  if (!isCallback) return pathname === '/' ? connect(response) : response.writeHead(404).end()
  callback(request, searchParams).then(
    (account) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(account, null, 2)),
    (error) => response.writeHead(400).end(error.message),
  )
}).listen('{{port}}', '{{host}}', () => console.log('Open {{startUrl}}'))

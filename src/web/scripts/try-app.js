// Tries an app: runs the authorization code flow with PKCE. On the page of the app it sends the browser to the authorization, on the page
// to which the browser returns it exchanges the code and shows the responses. The state of the flow stays in this tab.

const key = 'try-app'
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

const start = document.querySelector('[data-try]')
if (start) {
  const button = start.querySelector('button')
  button.disabled = false
  button.addEventListener('click', () => connect(JSON.parse(start.dataset.try)))
}

async function connect({ issuer, path, parameters }) {
  const [state, verifier] = [random(), random()]
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
  sessionStorage.setItem(key, JSON.stringify({ issuer, path, state, verifier, parameters }))
  const request = { ...parameters, state, code_challenge: base64url(digest), code_challenge_method: 'S256' }
  location.assign(`/login/oauth/authorize?${new URLSearchParams(request)}`)
}

const result = document.querySelector('[data-tried]')
if (result) {
  const status = result.querySelector('[role=status]')
  show(status).catch((error) => (status.textContent = error.message))
}

async function show(status) {
  const answer = new URLSearchParams(location.search)
  const stored = JSON.parse(sessionStorage.getItem(key))
  sessionStorage.removeItem(key)
  // The code works once, and reloading the page must not use it again.
  history.replaceState(null, '', location.pathname)
  if (!stored) return
  const back = result.querySelector('[data-back]')
  back.href = stored.path
  back.hidden = false
  if (answer.get('state') !== stored.state || answer.get('iss') !== stored.issuer)
    throw new Error('This response belongs to another request.')
  if (answer.get('error')) throw new Error(`${answer.get('error')}: ${answer.get('error_description')}`)
  const { client_id, redirect_uri } = stored.parameters
  const form = { grant_type: 'authorization_code', client_id, redirect_uri, code: answer.get('code'), code_verifier: stored.verifier }
  const tokens = await read('tokens', '/api/oauth/token', { method: 'POST', body: new URLSearchParams(form) }, shortened)
  const headers = { Authorization: `Bearer ${tokens.access_token}` }
  if (tokens.id_token) {
    fill('id-token', claimsOf(tokens.id_token))
    await read('userinfo', '/api/oauth/userinfo', { headers })
  }
  await read('account', '/api/v1/user', { headers })
  status.textContent = 'The app works: your account is connected.'
}

/** Sends a request and shows the response. */
async function read(id, url, init, shownAs = (body) => body) {
  const response = await fetch(url, { ...init, credentials: 'omit' })
  const body = await response.json()
  fill(id, shownAs(body))
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${body.error_description ?? body.message}`)
  return body
}

function fill(id, value) {
  const section = document.getElementById(`answer-${id}`)
  section.querySelector('pre').textContent = JSON.stringify(value, null, 2)
  section.hidden = false
}

/** The response with shortened tokens, so that the page can be shown to others. */
function shortened(body) {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, name.endsWith('_token') ? `${value.slice(0, 6)}…` : value]))
}

function claimsOf(token) {
  const bytes = Uint8Array.from(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}

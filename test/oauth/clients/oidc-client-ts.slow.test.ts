import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { resourceMetadataOf } from '../../support/http/resource-metadata.ts'
import { listenAtFreePort } from '../../support/oauth/listen.ts'
import { createClient, createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// A single-page application with oidc-client-ts: https://github.com/authts/oidc-client-ts

const service = useService()
const { database } = service
const main = createRequire(import.meta.url).resolve('oidc-client-ts')
const library = readFileSync(path.join(path.dirname(main), '..', 'browser', 'oidc-client-ts.min.js'))

/** The HTML page of the application, the same at every path. At the redirect URI it completes the sign-in. */
const page = (
  clientId: string,
) => `<!doctype html><title>App</title><button>Connect</button><output></output><script src="/library.js"></script><script>
  const manager = new oidc.UserManager({
    authority: ${JSON.stringify(service.url)},
    client_id: ${JSON.stringify(clientId)},
    redirect_uri: location.origin + '/callback',
    post_logout_redirect_uri: location.origin + '/bye',
    scope: 'openid profile offline_access teams',
    loadUserInfo: true,
  })
  const show = (value) => (document.querySelector('output').textContent = JSON.stringify(value))
  const showUser = ({ profile, scope, refresh_token }) => show({ name: profile.name, sub: profile.sub, scope, refresh_token })
  const call = async (path, init = {}) => {
    const { access_token } = await manager.getUser()
    const headers = { authorization: 'Bearer ' + access_token, 'content-type': 'application/json', ...init.headers }
    const response = await fetch(${JSON.stringify(service.url)} + path, { ...init, headers })
    return { status: response.status, body: await response.json(), challenge: response.headers.get('www-authenticate') }
  }
  document.querySelector('button').onclick = () => manager.signinRedirect()
  if (location.pathname === '/callback') manager.signinRedirectCallback().then(showUser, (error) => show({ error: error.message }))
</script>`

async function serveApp(clientId: string): Promise<string> {
  const server = createServer((request, response) => {
    const isLibrary = request.url === '/library.js'
    response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html')
    response.end(isLibrary ? library : page(clientId))
  })
  const origin = await listenAtFreePort(server)
  afterAll(() => void server.close())
  return origin
}

describe('a single-page application with oidc-client-ts in Chromium', () => {
  const browser = useChromium()

  test('signs in, reads UserInfo, calls REST and GraphQL, refreshes its tokens and signs out', async () => {
    const user = await createPerson(database, { name: 'Ada' })
    const client = await createClient(database, {
      confidential: false,
      redirectUris: ['http://127.0.0.1/callback'],
      postLogoutRedirectUris: ['http://127.0.0.1/bye'],
    })
    const app = await serveApp(client.clientId)
    const tab = await (await browser.newContext()).newPage()
    await tab.goto(app)
    await tab.getByRole('button', { name: 'Connect' }).click()
    await tab.getByLabel('Email address').fill(user.email)
    await tab.getByLabel('Password').fill(password)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('button', { name: 'Allow access' }).click()
    await tab.waitForURL(`${app}/callback?**`)
    const output = tab.locator('output')
    await expect.poll(() => output.textContent()).not.toBe('')
    const first = JSON.parse((await output.textContent()) ?? '')
    expect(first).toEqual({ name: 'Ada', sub: user.id, scope: 'teams openid profile offline_access', refresh_token: expect.any(String) })

    const call = (path: string, init: RequestInit = {}) => tab.evaluate(`call(${JSON.stringify(path)}, ${JSON.stringify(init)})`)
    const account = { kind: 'oauth', id: user.id, client_id: client.clientId }
    expect(await call('/api/v1/user')).toMatchObject({ status: 200, body: account })
    const query = { method: 'POST', body: '{"query":"{ viewer { kind id: userId } }"}' }
    expect(await call('/graphql', query)).toMatchObject({ status: 200, body: { data: { viewer: { kind: 'OAUTH', id: user.id } } } })
    // CORS also permits the page to read error responses and their challenges.
    const forbidden = { status: 403, body: { code: 'team_forbidden' } }
    expect(await call('/api/v1/teams/nowhere', { method: 'PATCH', body: '{}' })).toMatchObject(forbidden)
    const challenge = `Bearer error="insufficient_scope", scope="flow:rules:read", ${resourceMetadataOf(service.url)}`
    expect(await call('/api/v1/rules/capabilities')).toMatchObject({ status: 403, challenge })
    // The browser has a session cookie of the service, but CORS rejects requests with credentials.
    await expect(call('/graphql', { ...query, credentials: 'include' })).rejects.toThrow('Failed to fetch')

    await tab.evaluate('manager.signinSilent().then(showUser, (error) => show({ error: error.message }))')
    await expect.poll(async () => JSON.parse((await output.textContent()) ?? '').refresh_token).not.toBe(first.refresh_token)
    expect(JSON.parse((await output.textContent()) ?? '')).toMatchObject({ name: 'Ada', sub: user.id })

    await tab.evaluate('void manager.signoutRedirect()')
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await tab.waitForURL(`${app}/bye**`)
    await tab.goto(app)
    await tab.getByRole('button', { name: 'Connect' }).click()
    await tab.getByLabel('Password').waitFor()
  })
})

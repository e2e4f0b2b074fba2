import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../support/chromium.ts'
import { createClient, createPerson, password } from '../../support/oauth.ts'
import { startService } from '../../support/service.ts'

// How a single-page application connects with `oidc-client-ts`: https://github.com/authts/oidc-client-ts

const service = await startService()
const { database } = service
const main = createRequire(import.meta.url).resolve('oidc-client-ts')
const library = readFileSync(path.join(path.dirname(main), '..', 'browser', 'oidc-client-ts.min.js'))

/** The application: one page at every address, which ends a sign-in where it finds itself called back. */
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
  const tell = ({ profile, scope, refresh_token }) => show({ name: profile.name, sub: profile.sub, scope, refresh_token })
  const call = async (path, init = {}) => {
    const { access_token } = await manager.getUser()
    const headers = { authorization: 'Bearer ' + access_token, 'content-type': 'application/json', ...init.headers }
    const answer = await fetch(${JSON.stringify(service.url)} + path, { ...init, headers })
    return { status: answer.status, body: await answer.json(), challenge: answer.headers.get('www-authenticate') }
  }
  document.querySelector('button').onclick = () => manager.signinRedirect()
  if (location.pathname === '/callback') manager.signinRedirectCallback().then(tell, (error) => show({ error: error.message }))
</script>`

async function serveApp(clientId: string): Promise<string> {
  const server = createServer((request, response) => {
    const isLibrary = request.url === '/library.js'
    response.setHeader('content-type', isLibrary ? 'text/javascript' : 'text/html')
    response.end(isLibrary ? library : page(clientId))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a single-page application in a real browser', () => {
  test('signs in, reads UserInfo, asks REST and GraphQL, refreshes and signs out', async () => {
    const person = await createPerson(database, { name: 'Ada' })
    const client = await createClient(database, {
      confidential: false,
      redirectUris: ['http://127.0.0.1/callback'],
      postLogoutRedirectUris: ['http://127.0.0.1/bye'],
    })
    const app = await serveApp(client.clientId)
    const browser = await launchChromium()
    const tab = await browser.newPage()
    await tab.goto(app)
    await tab.getByRole('button', { name: 'Connect' }).click()
    await tab.getByLabel('Email address').fill(person.email)
    await tab.getByLabel('Password').fill(password)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('button', { name: 'Allow access' }).click()
    await tab.waitForURL(`${app}/callback?**`)
    const output = tab.locator('output')
    await expect.poll(() => output.textContent()).not.toBe('')
    const first = JSON.parse((await output.textContent()) ?? '')
    expect(first).toEqual({ name: 'Ada', sub: person.id, scope: 'teams openid profile offline_access', refresh_token: expect.any(String) })

    const call = (path: string, init: RequestInit = {}) => tab.evaluate(`call(${JSON.stringify(path)}, ${JSON.stringify(init)})`)
    const account = { kind: 'oauth', id: person.id, client_id: client.clientId }
    expect(await call('/api/v1/user')).toMatchObject({ status: 200, body: account })
    const query = { method: 'POST', body: '{"query":"{ viewer { kind id } }"}' }
    expect(await call('/graphql', query)).toMatchObject({ status: 200, body: { data: { viewer: { kind: 'OAUTH', id: person.id } } } })
    // Refusals can be read as well, and what would have been enough.
    const forbidden = { status: 403, body: { code: 'team_forbidden' } }
    expect(await call('/api/v1/teams/nowhere', { method: 'PATCH', body: '{}' })).toMatchObject(forbidden)
    const challenge = 'Bearer error="insufficient_scope", scope="flow:rules:read"'
    expect(await call('/api/v1/rules/capabilities')).toMatchObject({ status: 403, challenge })
    // The person is signed in in this very browser: with cookies it does not let the page ask at all.
    await expect(call('/graphql', { ...query, credentials: 'include' })).rejects.toThrow('Failed to fetch')

    await tab.evaluate('manager.signinSilent().then(tell, (error) => show({ error: error.message }))')
    await expect.poll(async () => JSON.parse((await output.textContent()) ?? '').refresh_token).not.toBe(first.refresh_token)
    expect(JSON.parse((await output.textContent()) ?? '')).toMatchObject({ name: 'Ada', sub: person.id })

    await tab.evaluate('void manager.signoutRedirect()')
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await tab.waitForURL(`${app}/bye**`)
    await tab.goto(app)
    await tab.getByRole('button', { name: 'Connect' }).click()
    await tab.getByLabel('Password').waitFor()
  })
})

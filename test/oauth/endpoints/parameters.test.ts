import { describe, expect, test } from 'vitest'
import { heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { createDeviceClient } from '../../support/oauth/device.ts'
import { authorizationUrl, createClient, createPerson, exchangeCode, post, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const fieldsOf = (...parameters: Parameters<typeof authorizationUrl>) =>
  Object.fromEntries(authorizationUrl(...parameters).url.searchParams)

describe('an empty client_secret', () => {
  test('of a public client is no secret', async () => {
    const { client, tokens } = await connectClient(service, { confidential: false })
    const device = await createDeviceClient(database)
    const send = (path: string, fields: Record<string, string>, sender = client) =>
      post(service, path, sender, { client_secret: '', ...fields })
    expect((await send('/api/oauth/device', { scope: 'openid' }, device)).status).toBe(200)
    expect((await send('/api/oauth/par', fieldsOf(service, client))).status).toBe(201)
    expect((await send('/api/oauth/token', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).status).toBe(200)
    expect((await send('/api/oauth/revoke', { token: tokens.refresh_token })).status).toBe(200)
  })

  test('of a confidential client beside HTTP Basic is no second mechanism', async () => {
    const { client, tokens } = await connectClient(service)
    expect((await post(service, '/api/oauth/introspect', client, { token: tokens.access_token, client_secret: '' })).body.active).toBe(true)
  })

  test('alone does not authenticate a confidential client', async () => {
    const { client, tokens } = await connectClient(service)
    const fields = { client_id: client.clientId, client_secret: '', grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const { status, body } = await post(service, '/api/oauth/token', { ...client, secret: null }, fields)
    expect([status, body.error]).toEqual([401, 'invalid_client'])
  })
})

describe('blanks around and between the values of scope and prompt', () => {
  const scope = '  openid   teams '

  test('are ignored in an authorization request, also in a pushed one', async () => {
    const client = await createClient(database)
    const user = await createPerson(database)
    for (const isPushed of [false, true]) {
      const { url, verifier } = authorizationUrl(service, client, { scope, prompt: ' login  consent ' })
      const { body } = isPushed ? await post(service, '/api/oauth/par', client, Object.fromEntries(url.searchParams)) : { body: null }
      const address = body ? `/login/oauth/authorize?client_id=${client.clientId}&request_uri=${body.request_uri}` : url
      const browser = new Browser(service.url)
      const { url: callback } = await browser.press(await signIn(browser, await browser.open(address), user), 'Allow access')
      const tokens = await exchangeCode(service, client, { code: callback.searchParams.get('code') ?? '', verifier })
      expect([tokens.status, tokens.body.scope.split(' ').toSorted()]).toEqual([200, ['openid', 'teams']])
    }
  })

  test('are ignored in a device authorization request and at the token endpoint', async () => {
    const device = await createDeviceClient(database)
    expect((await post(service, '/api/oauth/device', device, { scope })).status).toBe(200)
    const { client, tokens } = await connectClient(service)
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, scope: ' openid  ' }
    const { status, body } = await post(service, '/api/oauth/token', client, fields)
    expect([status, body.scope]).toEqual([200, 'openid'])
  })

  test('are not a scope', async () => {
    const client = await createClient(database)
    const { url } = await new Browser(service.url).open(authorizationUrl(service, client, { scope: '  ' }).url)
    expect(url.searchParams.get('error')).toBe('invalid_scope')
  })
})

describe('response_type=code code', () => {
  test('is unsupported_response_type, also in a pushed request', async () => {
    const client = await createClient(database)
    const changes = { response_type: 'code code' }
    const { url } = await new Browser(service.url).open(authorizationUrl(service, client, changes).url)
    expect([url.origin, url.searchParams.get('error')]).toEqual(['https://app.example', 'unsupported_response_type'])
    const { status, body } = await post(service, '/api/oauth/par', client, fieldsOf(service, client, changes))
    expect([status, body.error]).toEqual([400, 'unsupported_response_type'])
  })
})

describe('an authorization request by POST', () => {
  const send = (browser: Browser, body: URLSearchParams) =>
    browser.open('/login/oauth/authorize', {
      method: 'POST',
      body,
      headers: { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
    })

  test('is processed like one by GET, and its form needs no cookie', async () => {
    const client = await createClient(database)
    const user = await createPerson(database)
    const browser = new Browser(service.url)
    await signIn(browser, await browser.open('/sign-in'), user)
    const { url, verifier, state } = authorizationUrl(service, client, { scope: 'openid', state: 'a&b=ü #?' })
    // A browser does not send cookies with `SameSite=Lax` with a form of another site, but does with the request that follows.
    const response = await fetch(new URL('/login/oauth/authorize', service.url), {
      method: 'POST',
      body: url.searchParams,
      redirect: 'manual',
    })
    expect([response.status, response.headers.get('cache-control')]).toEqual([303, 'no-store'])
    const consent = await browser.open(new URL(response.headers.get('location') ?? '', service.url))
    expect(consent.text).toContain(`Signed in as ${user.email}`)
    const { url: callback } = await browser.press(consent, 'Allow access')
    expect(callback.searchParams.get('state')).toBe(state)
    expect((await exchangeCode(service, client, { code: callback.searchParams.get('code') ?? '', verifier })).status).toBe(200)
  })

  test('returns the errors of one by GET', async () => {
    const client = await createClient(database)
    const { url } = authorizationUrl(service, client, { prompt: 'none' })
    expect((await send(new Browser(service.url), url.searchParams)).url.searchParams.get('error')).toBe('login_required')
    url.searchParams.append('client_id', client.clientId)
    expect(heading(await send(new Browser(service.url), url.searchParams))).toEqual([400, 'We can’t process this request'])
    expect(heading(await send(new Browser(service.url), new URLSearchParams()))).toEqual([400, 'We can’t process this request'])
  })

  test('is accepted as a form only, of a length that a URL can have', async () => {
    const statusOf = async (body: string, type: string) =>
      (await fetch(new URL('/login/oauth/authorize', service.url), { method: 'POST', body, headers: { 'content-type': type } })).status
    expect(await statusOf('{}', 'application/json')).toBe(400)
    expect(await statusOf(`state=${'x'.repeat(9000)}`, 'application/x-www-form-urlencoded')).toBe(413)
  })
})

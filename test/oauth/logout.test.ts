import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { listenForLogout } from '../support/backchannel.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, refresh } from '../support/oauth.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service

describe('a person who signs out', () => {
  test('is signed out, the clients that asked for it are told, and what was granted stays', async () => {
    const { address, told } = await listenForLogout()
    const person = await createPerson(database)
    const client = await createClient(database, { backchannelLogoutUri: address })
    const authorized = await authorize(service, client, person)
    const { body: tokens } = await exchangeCode(service, client, authorized)
    const { browser } = authorized
    await browser.press(await browser.open('/login/oauth/logout'), 'Sign out')
    expect(told.length).toBe(1)
    const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(told[0] ?? '', keys, { issuer: service.url, audience: client.clientId })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'logout+jwt' })
    expect(payload).toMatchObject({
      sub: person.id,
      sid: expect.any(String),
      jti: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    const silent = await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
    expect(silent.url.searchParams.get('error')).toBe('login_required')
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
  })

  test('is signed out though a client that is to be told does not answer', async () => {
    const person = await createPerson(database)
    const client = await createClient(database, { backchannelLogoutUri: 'http://127.0.0.1:9/logout' })
    const { browser } = await authorize(service, client, person)
    const page = await browser.press(await browser.open('/login/oauth/logout'), 'Sign out')
    expect(page.status).toBe(200)
    const silent = await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
    expect(silent.url.searchParams.get('error')).toBe('login_required')
  })
})

describe('a person who is disabled', () => {
  test('is out everywhere on the next request, and back when enabled', async () => {
    const person = await createPerson(database)
    const client = await createClient(database)
    const authorized = await authorize(service, client, person)
    const { body: tokens } = await exchangeCode(service, client, authorized)
    const { prisma } = database
    const silent = async () => {
      const { url } = await authorized.browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
      return url.searchParams.get('error') ?? 'in'
    }
    const api = async () => (await request(service, 'GET', '/api/v1/user', { token: tokens.access_token })).status
    const userInfo = async () =>
      (await fetch(`${service.url}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } })).status
    expect([await silent(), await api(), await userInfo()]).toEqual(['in', 200, 200])
    await prisma.user.update({ where: { id: person.id }, data: { disabledAt: new Date() } })
    expect([await silent(), await api(), await userInfo()]).toEqual(['login_required', 401, 401])
    await prisma.user.update({ where: { id: person.id }, data: { disabledAt: null } })
    expect([await silent(), await api(), await userInfo()]).toEqual(['in', 200, 200])
  })
})

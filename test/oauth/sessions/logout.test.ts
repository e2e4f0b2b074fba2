import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { listenForLogout } from '../../support/oauth/backchannel.ts'
import { authorizationUrl, refresh } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

describe('signing out', () => {
  test('ends the session, sends logout tokens to clients with back-channel logout, and keeps the grants', async () => {
    const { address, logoutTokens } = await listenForLogout()
    const { user, client, browser, tokens } = await connectClient(service, { backchannelLogoutUri: address })
    await browser.press(await browser.open('/login/oauth/logout'), 'Sign out')
    expect(logoutTokens.length).toBe(1)
    const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(logoutTokens[0] ?? '', keys, { issuer: service.url, audience: client.clientId })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'logout+jwt' })
    expect(payload).toMatchObject({
      sub: user.id,
      sid: expect.any(String),
      jti: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    const silent = await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
    expect(silent.url.searchParams.get('error')).toBe('login_required')
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
  })

  test('ends the session although a client with back-channel logout is unreachable', async () => {
    const { client, browser } = await connectClient(service, { backchannelLogoutUri: 'http://127.0.0.1:9/logout' })
    const page = await browser.press(await browser.open('/login/oauth/logout'), 'Sign out')
    expect(page.status).toBe(200)
    const silent = await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
    expect(silent.url.searchParams.get('error')).toBe('login_required')
  })
})

describe('disabling a user', () => {
  test('takes effect at the next request to every endpoint, and enabling the user restores access', async () => {
    const { user, client, browser, tokens } = await connectClient(service)
    const { prisma } = database
    const silent = async () => {
      const { url } = await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
      return url.searchParams.get('error') ?? 'signed in'
    }
    const api = async () => (await request(service, 'GET', '/api/v1/user', { token: tokens.access_token })).status
    const userInfo = async () =>
      (await fetch(`${service.url}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } })).status
    expect([await silent(), await api(), await userInfo()]).toEqual(['signed in', 200, 200])
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } })
    expect([await silent(), await api(), await userInfo()]).toEqual(['login_required', 401, 401])
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: null } })
    expect([await silent(), await api(), await userInfo()]).toEqual(['signed in', 200, 200])
  })
})

import { AuthorizationCode } from 'simple-oauth2'
import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { createClient, createPerson, pkce, signIn } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'

// A Node.js service with simple-oauth2: https://github.com/lelylan/simple-oauth2

const service = useService()
const { database } = service

describe('a service with simple-oauth2', () => {
  test('requests, refreshes and revokes tokens', async () => {
    const user = await createPerson(database)
    const registered = await createClient(database)
    const client = new AuthorizationCode({
      client: { id: registered.clientId, secret: registered.secret ?? '' },
      auth: {
        tokenHost: service.url,
        tokenPath: '/api/oauth/token',
        revokePath: '/api/oauth/revoke',
        authorizePath: '/login/oauth/authorize',
      },
    })
    const { verifier, challenge } = pkce()
    const proof = { code_challenge: challenge, code_challenge_method: 'S256' }
    const url = client.authorizeURL({ redirect_uri: registered.redirectUri, scope: 'teams offline_access', state: 'state', ...proof })
    const browser = new Browser(service.url)
    const consent = await signIn(browser, await browser.open(url), user)
    const { url: callback } = await browser.press(consent, 'Allow access')
    expect(callback.searchParams.get('state')).toBe('state')

    const exchange = { code: callback.searchParams.get('code') ?? '', redirect_uri: registered.redirectUri, code_verifier: verifier }
    const token = await client.getToken(exchange)
    expect(token.expired()).toBe(false)
    expect((await request(service, 'GET', '/api/v1/teams', { token: String(token.token['access_token']) })).status).toBe(200)
    const refreshed = await token.refresh()
    await refreshed.revokeAll()
    expect((await request(service, 'GET', '/api/v1/teams', { token: String(refreshed.token['access_token']) })).status).toBe(401)
  })
})

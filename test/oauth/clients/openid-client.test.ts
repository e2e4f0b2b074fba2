import * as oidc from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { createDeviceClient } from '../../support/oauth/device.ts'
import { createClient, createPerson, signIn } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join } from '../../support/data/team.ts'
import type { User, Team } from '../../../prisma/generated/client/client.ts'

// Applications with openid-client: https://github.com/panva/openid-client

const service = useService()
const { database } = service
let user: User
let team: Team
beforeAll(async () => {
  user = await createPerson(database, { name: 'Ada' })
  team = await createTeam(database)
  await join(database, team, user, 'owner')
})
const redirectUri = 'https://app.example/callback'

/** Reads the discovery document. Only the tests use plain HTTP. */
const discover = (clientId: string, secret: string | null, algorithm: 'oidc' | 'oauth2' = 'oidc') =>
  oidc.discovery(new URL(service.url), clientId, undefined, secret === null ? oidc.None() : oidc.ClientSecretBasic(secret), {
    algorithm,
    execute: [oidc.allowInsecureRequests],
  })

/** Signs in and consents in a browser, from the authorization URL to the redirect URI. */
async function allow(url: URL, choices: Record<string, string | readonly string[]> = {}): Promise<URL> {
  const browser = new Browser(service.url)
  const consent = await signIn(browser, await browser.open(url), user)
  return (await browser.press(consent, 'Allow access', choices)).url
}

async function createRequest(configuration: oidc.Configuration, parameters: Record<string, string> = {}) {
  const verifier = oidc.randomPKCECodeVerifier()
  const checks = { pkceCodeVerifier: verifier, expectedState: oidc.randomState(), expectedNonce: oidc.randomNonce() }
  const request = {
    redirect_uri: redirectUri,
    scope: 'openid profile email offline_access acct:team:read',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    ...parameters,
  }
  return { configuration, checks, request }
}

describe.each([true, false])('a server-side application with openid-client (confidential: %s)', (confidential) => {
  test('signs a user in, reads UserInfo and the API, and refreshes, introspects and revokes tokens', async () => {
    const client = await createClient(database, { confidential, team: 'optional' })
    const configuration = await discover(client.clientId, client.secret)
    const { checks, request: parameters } = await createRequest(configuration)
    const callback = await allow(oidc.buildAuthorizationUrl(configuration, parameters), { Team: team.slug })
    const tokens = await oidc.authorizationCodeGrant(configuration, callback, checks)
    expect(tokens.claims()).toMatchObject({ iss: service.url, aud: client.clientId, sub: user.id })
    expect(tokens['team']).toBe(team.slug)

    const userInfo = await oidc.fetchUserInfo(configuration, tokens.access_token, user.id)
    expect(userInfo).toEqual({ sub: user.id, name: 'Ada', updated_at: expect.any(Number), email: user.email, email_verified: true })
    const account = await request(service, 'GET', '/api/v1/user', { token: tokens.access_token })
    expect(account.body).toMatchObject({ kind: 'oauth', id: user.id, team: team.slug, client_id: client.clientId })

    const refreshed = await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    expect(refreshed.claims()?.sub).toBe(user.id)

    if (confidential) {
      const { active, scope, sub, team: selected } = await oidc.tokenIntrospection(configuration, refreshed.access_token)
      expect({ active, scope, sub, selected }).toEqual({ active: true, scope: refreshed.scope, sub: user.id, selected: team.slug })
    }
    await oidc.tokenRevocation(configuration, refreshed.refresh_token ?? '')
    expect((await request(service, 'GET', '/api/v1/user', { token: refreshed.access_token })).status).toBe(401)
    await expect(oidc.refreshTokenGrant(configuration, refreshed.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('uses a pushed authorization request', async () => {
    const client = await createClient(database, { confidential })
    const configuration = await discover(client.clientId, client.secret)
    const { checks, request: parameters } = await createRequest(configuration)
    const url = await oidc.buildAuthorizationUrlWithPAR(configuration, parameters)
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    const tokens = await oidc.authorizationCodeGrant(configuration, await allow(url), checks)
    expect(tokens.refresh_token).toMatch(/^[\w-]{43,}$/)
    const again = await new Browser(service.url).open(url)
    expect(again.text).toContain('invalid_request_uri')
  })

  test('binds its access tokens to a key with DPoP', async () => {
    const client = await createClient(database, { confidential })
    const configuration = await discover(client.clientId, client.secret)
    const DPoP = oidc.getDPoPHandle(configuration, await oidc.randomDPoPKeyPair('ES256'))
    const { checks, request: parameters } = await createRequest(configuration)
    const callback = await allow(oidc.buildAuthorizationUrl(configuration, parameters))
    const tokens = await oidc.authorizationCodeGrant(configuration, callback, checks, undefined, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    const call = (path: string, method = 'GET', body?: string) =>
      oidc.fetchProtectedResource(
        configuration,
        tokens.access_token,
        new URL(path, service.url),
        method,
        body,
        new Headers(body === undefined ? {} : { 'content-type': 'application/json' }),
        { DPoP },
      )
    expect((await call('/api/v1/teams')).status).toBe(200)
    expect(await (await call('/graphql', 'POST', JSON.stringify({ query: '{ viewer { kind } }' }))).json()).toMatchObject({
      data: { viewer: { kind: 'OAUTH' } },
    })
    expect((await request(service, 'GET', '/api/v1/teams', { token: tokens.access_token })).status).toBe(401)
    const refreshed = await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '', undefined, { DPoP })
    expect(refreshed.token_type).toBe('dpop')
  })
})

describe('an application with openid-client that is registered for RS256', () => {
  test('receives ID tokens that are signed with RS256', async () => {
    const client = await createClient(database, { idTokenAlgorithm: 'RS256' })
    const configuration = await oidc.discovery(
      new URL(service.url),
      client.clientId,
      { id_token_signed_response_alg: 'RS256' },
      oidc.ClientSecretBasic(client.secret ?? ''),
      { execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks] },
    )
    const { checks, request: parameters } = await createRequest(configuration)
    const tokens = await oidc.authorizationCodeGrant(
      configuration,
      await allow(oidc.buildAuthorizationUrl(configuration, parameters)),
      checks,
    )
    expect(tokens.claims()?.sub).toBe(user.id)
  })
})

describe('a device with openid-client', () => {
  test('receives tokens through the device flow', async () => {
    const client = await createDeviceClient(database)
    const configuration = await discover(client.clientId, null, 'oauth2')
    const device = await oidc.initiateDeviceAuthorization(configuration, { scope: 'openid teams offline_access' })
    const browser = new Browser(service.url)
    const form = await browser.open(device.verification_uri_complete ?? '')
    const consent = await signIn(browser, await browser.press(form, 'Continue'), user)
    await browser.press(consent, 'Allow access')
    const tokens = await oidc.pollDeviceAuthorizationGrant(configuration, { ...device, interval: 0.01 })
    expect(tokens.scope).toBe('teams openid offline_access')
  })
})

import * as oidc from 'openid-client'
import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser.ts'
import { createClient, createPerson, signIn } from '../../support/oauth.ts'
import { request } from '../../support/request.ts'
import { startService } from '../../support/service.ts'
import { createTeam, join } from '../../support/team.ts'

// How an application connects with `openid-client`, step by step: https://github.com/panva/openid-client

const service = await startService()
const { database } = service
const person = await createPerson(database, { name: 'Ada' })
const team = await createTeam(database)
await join(database, team, person, 'owner')
const redirectUri = 'https://app.example/callback'

/** Discovery; plain HTTP is for tests alone. */
const discover = (clientId: string, secret: string | null, algorithm: 'oidc' | 'oauth2' = 'oidc') =>
  oidc.discovery(new URL(service.url), clientId, undefined, secret === null ? oidc.None() : oidc.ClientSecretBasic(secret), {
    algorithm,
    execute: [oidc.allowInsecureRequests],
  })

/** What the person does in the browser, from the application's link to its callback. */
async function allow(url: URL, choices: Record<string, string | readonly string[]> = {}): Promise<URL> {
  const browser = new Browser(service.url)
  const consent = await signIn(browser, await browser.open(url), person)
  return (await browser.press(consent, 'Allow access', choices)).url
}

async function begin(configuration: oidc.Configuration, parameters: Record<string, string> = {}) {
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

describe.each([true, false])('a server-side application (confidential: %s)', (confidential) => {
  test('signs people in, reads UserInfo and the API, refreshes, introspects and revokes', async () => {
    const client = await createClient(database, { confidential, team: 'optional' })
    const configuration = await discover(client.clientId, client.secret)
    const { checks, request: parameters } = await begin(configuration)
    const callback = await allow(oidc.buildAuthorizationUrl(configuration, parameters), { Team: team.slug })
    const tokens = await oidc.authorizationCodeGrant(configuration, callback, checks)
    expect(tokens.claims()).toMatchObject({ iss: service.url, aud: client.clientId, sub: person.id })
    expect(tokens['team']).toBe(team.slug)

    const userInfo = await oidc.fetchUserInfo(configuration, tokens.access_token, person.id)
    expect(userInfo).toEqual({ sub: person.id, name: 'Ada', updated_at: expect.any(Number), email: person.email, email_verified: true })
    const account = await request(service, 'GET', '/api/v1/user', { token: tokens.access_token })
    expect(account.body).toMatchObject({ kind: 'oauth', id: person.id, team: team.slug, client_id: client.clientId })

    const refreshed = await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    expect(refreshed.claims()?.sub).toBe(person.id)

    if (confidential) {
      const { active, scope, sub, team: selected } = await oidc.tokenIntrospection(configuration, refreshed.access_token)
      expect({ active, scope, sub, selected }).toEqual({ active: true, scope: refreshed.scope, sub: person.id, selected: team.slug })
    }
    await oidc.tokenRevocation(configuration, refreshed.refresh_token ?? '')
    expect((await request(service, 'GET', '/api/v1/user', { token: refreshed.access_token })).status).toBe(401)
    await expect(oidc.refreshTokenGrant(configuration, refreshed.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('pushes its authorization request first', async () => {
    const client = await createClient(database, { confidential })
    const configuration = await discover(client.clientId, client.secret)
    const { checks, request: parameters } = await begin(configuration)
    const url = await oidc.buildAuthorizationUrlWithPAR(configuration, parameters)
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    const tokens = await oidc.authorizationCodeGrant(configuration, await allow(url), checks)
    expect(tokens.refresh_token).toMatch(/^[\w-]{43,}$/)
    const again = await new Browser(service.url).open(url)
    expect(again.text).toContain('invalid_request_uri')
  })

  test('binds its tokens to a key of its own by DPoP', async () => {
    const client = await createClient(database, { confidential })
    const configuration = await discover(client.clientId, client.secret)
    const DPoP = oidc.getDPoPHandle(configuration, await oidc.randomDPoPKeyPair('ES256'))
    const { checks, request: parameters } = await begin(configuration)
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
    expect(await (await call('/graphql', 'POST', JSON.stringify({ query: '{ viewer { kind } }' }))).json()).toEqual({
      data: { viewer: { kind: 'OAUTH' } },
    })
    expect((await request(service, 'GET', '/api/v1/teams', { token: tokens.access_token })).status).toBe(401)
    const refreshed = await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '', undefined, { DPoP })
    expect(refreshed.token_type).toBe('dpop')
  })
})

describe('an application that asks for RS256', () => {
  test('gets ID tokens it can validate with it', async () => {
    const client = await createClient(database, { idTokenAlgorithm: 'RS256' })
    const configuration = await oidc.discovery(
      new URL(service.url),
      client.clientId,
      { id_token_signed_response_alg: 'RS256' },
      oidc.ClientSecretBasic(client.secret ?? ''),
      { execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks] },
    )
    const { checks, request: parameters } = await begin(configuration)
    const tokens = await oidc.authorizationCodeGrant(
      configuration,
      await allow(oidc.buildAuthorizationUrl(configuration, parameters)),
      checks,
    )
    expect(tokens.claims()?.sub).toBe(person.id)
  })
})

describe('an application without a browser', () => {
  test('connects by the device flow', async () => {
    const client = await createClient(database, {
      confidential: false,
      redirectUris: [],
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    })
    const configuration = await discover(client.clientId, null, 'oauth2')
    const device = await oidc.initiateDeviceAuthorization(configuration, { scope: 'openid teams offline_access' })
    const browser = new Browser(service.url)
    const confirmation = await browser.press(await browser.open(device.verification_uri_complete ?? ''), 'Continue')
    const consent = await signIn(browser, await browser.press(confirmation, 'Continue'), person)
    await browser.press(consent, 'Allow access')
    const tokens = await oidc.pollDeviceAuthorizationGrant(configuration, { ...device, interval: 0.01 })
    expect(tokens.scope).toBe('teams openid offline_access')
  })
})

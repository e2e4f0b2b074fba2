import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser.ts'
import { createClient, createPerson, signIn } from '../../support/oauth.ts'
import { startService } from '../../support/service.ts'

// The same with `oauth4webapi`, which leaves every step to the application: https://github.com/panva/oauth4webapi

const service = await startService()
const { database } = service
const issuer = new URL(service.url)
const plain = { [oauth.allowInsecureRequests]: true } as const

async function discover(algorithm: 'oidc' | 'oauth2') {
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...plain }))
}

describe('an application', () => {
  test('finds both documents, which differ in where they send for user information', async () => {
    const [openid, oauth2] = await Promise.all([discover('oidc'), discover('oauth2')])
    expect(openid.userinfo_endpoint).toBe(`${service.url}/api/oauth/userinfo`)
    expect(oauth2.userinfo_endpoint).toBe(`${service.url}/api/v1/user`)
    expect({ ...oauth2, userinfo_endpoint: openid.userinfo_endpoint }).toEqual(openid)
  })

  test('goes through the code flow, validates the ID token and its signature, reads UserInfo, refreshes, revokes', async () => {
    const person = await createPerson(database)
    const registered = await createClient(database)
    const server = await discover('oidc')
    const client: oauth.Client = { client_id: registered.clientId }
    const authentication = oauth.ClientSecretBasic(registered.secret ?? '')
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const nonce = oauth.generateRandomNonce()
    const url = new URL(server.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: registered.redirectUri,
      response_type: 'code',
      scope: 'openid email offline_access',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }).toString()
    const browser = new Browser(service.url)
    const consent = await signIn(browser, await browser.open(url), person)
    const callback = await browser.press(consent, 'Allow access')

    const parameters = oauth.validateAuthResponse(server, client, callback.url, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      registered.redirectUri,
      verifier,
      plain,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce, requireIdToken: true })
    await oauth.validateApplicationLevelSignature(server, response, plain)
    const subject = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? ''
    expect(subject).toBe(person.id)

    const userInfo = await oauth.processUserInfoResponse(
      server,
      client,
      subject,
      await oauth.userInfoRequest(server, client, tokens.access_token, plain),
    )
    expect(userInfo).toEqual({ sub: person.id, email: person.email, email_verified: true })

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token ?? '', plain),
    )
    const introspected = await oauth.processIntrospectionResponse(
      server,
      client,
      await oauth.introspectionRequest(server, client, authentication, refreshed.access_token, plain),
    )
    expect(introspected).toMatchObject({ active: true, client_id: client.client_id, sub: person.id, iss: service.url, team: null })
    await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, authentication, refreshed.access_token, plain))
    const after = await oauth.introspectionRequest(server, client, authentication, refreshed.access_token, plain)
    expect(await oauth.processIntrospectionResponse(server, client, after)).toEqual({ active: false })
    const stillThere = await oauth.introspectionRequest(server, client, authentication, refreshed.refresh_token ?? '', plain)
    expect((await oauth.processIntrospectionResponse(server, client, stillThere)).active).toBe(true)
  })
})

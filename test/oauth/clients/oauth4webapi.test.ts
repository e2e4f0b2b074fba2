import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { createClient, createPerson, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// The authorization code flow with oauth4webapi, a low-level client library: https://github.com/panva/oauth4webapi

const service = useService()
const { database } = service
const issuer = new URL(service.url)
const httpOptions = { [oauth.allowInsecureRequests]: true } as const

async function discover(algorithm: 'oidc' | 'oauth2') {
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...httpOptions }))
}

describe('an application with oauth4webapi', () => {
  test('reads both discovery documents, which differ only in the userinfo_endpoint', async () => {
    const [openid, oauth2] = await Promise.all([discover('oidc'), discover('oauth2')])
    expect(openid.userinfo_endpoint).toBe(`${service.url}/api/oauth/userinfo`)
    expect(oauth2.userinfo_endpoint).toBe(`${service.url}/api/v1/user`)
    expect({ ...oauth2, userinfo_endpoint: openid.userinfo_endpoint }).toEqual(openid)
  })

  test('runs the code flow, validates the ID token, reads UserInfo, and refreshes, introspects and revokes tokens', async () => {
    const user = await createPerson(database)
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
    const consent = await signIn(browser, await browser.open(url), user)
    const callback = await browser.press(consent, 'Allow access')

    const parameters = oauth.validateAuthResponse(server, client, callback.url, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      registered.redirectUri,
      verifier,
      httpOptions,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce, requireIdToken: true })
    await oauth.validateApplicationLevelSignature(server, response, httpOptions)
    const subject = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? ''
    expect(subject).toBe(user.id)

    const userInfo = await oauth.processUserInfoResponse(
      server,
      client,
      subject,
      await oauth.userInfoRequest(server, client, tokens.access_token, httpOptions),
    )
    expect(userInfo).toEqual({ sub: user.id, email: user.email, email_verified: true })

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token ?? '', httpOptions),
    )
    const introspected = await oauth.processIntrospectionResponse(
      server,
      client,
      await oauth.introspectionRequest(server, client, authentication, refreshed.access_token, httpOptions),
    )
    expect(introspected).toMatchObject({ active: true, client_id: client.client_id, sub: user.id, iss: service.url, team: null })
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, refreshed.access_token, httpOptions),
    )
    const revoked = await oauth.introspectionRequest(server, client, authentication, refreshed.access_token, httpOptions)
    expect(await oauth.processIntrospectionResponse(server, client, revoked)).toEqual({ active: false })
    const refreshToken = await oauth.introspectionRequest(server, client, authentication, refreshed.refresh_token ?? '', httpOptions)
    expect((await oauth.processIntrospectionResponse(server, client, refreshToken)).active).toBe(true)
  })
})

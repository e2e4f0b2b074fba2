import { describe, expect, test } from 'vitest'
import { createTeam } from '../../support/data/team.ts'
import { Browser } from '../../support/browser/browser.ts'
import { request } from '../../support/http/request.ts'
import { createAssertion, createClientKey, keySetOf, postWithAssertion } from '../../support/oauth/clients/client-keys.ts'
import { createKey, createProof } from '../../support/oauth/dpop.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import {
  authorizationUrl,
  authorize,
  createClient,
  createPerson,
  exchangeCode,
  pkce,
  post,
  refresh,
  signIn,
} from '../../support/oauth/oauth.ts'
import type { ClientOptions, TestClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// A client can demand more of itself than others: pushed requests, DPoP, authentication with a key. What it does otherwise works as before.

const service = useService()
const { database } = service

describe('a client that demands pushed authorization requests', () => {
  const demanding = (options: ClientOptions = {}) => createClient(database, { requirePushedAuthorizationRequests: true, ...options })
  const push = (client: TestClient, challenge: string) =>
    post(service, '/api/oauth/par', client, {
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid offline_access',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })

  test.each([false, true])('is refused with parameters in the request (POST: %s)', async (isPost) => {
    const { url, state } = authorizationUrl(service, await demanding())
    const form = { method: 'POST', body: url.searchParams, redirect: 'manual' } as const
    const target = isPost ? (await fetch(url.origin + url.pathname, form)).headers.get('location') : null
    const page = await new Browser(service.url).open(target ?? url)
    const error = page.url.searchParams
    expect([error.get('error'), error.get('error_description'), error.get('state')]).toEqual([
      'invalid_request',
      'Pushed Authorization Request must be used',
      state,
    ])
  })

  test.each([true, false])('gets and refreshes tokens with a pushed request (confidential: %s)', async (confidential) => {
    const client = await demanding({ confidential })
    const { verifier, challenge } = pkce()
    const { body } = await push(client, challenge)
    const browser = new Browser(service.url)
    const query = new URLSearchParams({ client_id: client.clientId, request_uri: body.request_uri })
    const consent = await signIn(browser, await browser.open(`/login/oauth/authorize?${query}`), await createPerson(database))
    const { url } = await browser.press(consent, 'Allow access')
    const { body: tokens } = await exchangeCode(service, client, { code: url.searchParams.get('code') ?? '', verifier })
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
  })
})

describe('a client that demands DPoP', () => {
  const target = (path: string) => ({ token: '', method: 'POST', url: `${service.url}${path}`, now: new Date() })

  test('gets a token of its own with a proof only', async () => {
    const client = await createTeamClient(database, await createTeam(database), { dpopBoundAccessTokens: true })
    const without = await requestMachineToken(service, client)
    expect([without.status, without.body]).toEqual([
      400,
      { error: 'invalid_dpop_proof', error_description: 'the client must send a DPoP proof' },
    ])
    const key = createKey()
    const DPoP = await createProof(key, target('/api/oauth/token'), { ath: undefined })
    const { body } = await requestMachineToken(service, client, {}, { DPoP })
    expect(body.token_type).toBe('DPoP')
    // Introspection and revocation need no proof.
    const introspected = await post(service, '/api/oauth/introspect', client, { token: body.access_token })
    expect(introspected.body).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.thumbprint } })
    expect((await request(service, 'GET', '/api/v1/user', { token: body.access_token })).status).toBe(401)
    expect((await post(service, '/api/oauth/revoke', client, { token: body.access_token })).status).toBe(200)
  })
})

describe('a client that demands all three', () => {
  test('gets tokens for a user and for itself', async () => {
    const key = createClientKey('PS256')
    const team = await createTeam(database)
    const client = await createTeamClient(database, team, {
      grantTypes: ['authorization_code', 'client_credentials'],
      redirectUris: ['https://app.example/callback'],
      requiredScopes: ['openid'],
      state: 'listed',
      jwks: keySetOf(key),
      requireKeyAuthentication: true,
      requirePushedAuthorizationRequests: true,
      dpopBoundAccessTokens: true,
    })
    const proving = createKey()
    const send = async (path: string, fields: Record<string, string>) => {
      const now = new Date()
      const DPoP = await createProof(proving, { token: '', method: 'POST', url: `${service.url}${path}`, now }, { ath: undefined })
      return postWithAssertion(service, path, await createAssertion(service, client, key), fields, { DPoP })
    }
    expect((await send('/api/oauth/token', { grant_type: 'client_credentials' })).body.token_type).toBe('DPoP')
    const { verifier, challenge } = pkce()
    const pushed = await send('/api/oauth/par', {
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const changes = { request_uri: String(pushed.body.request_uri) }
    const only = Object.fromEntries(
      ['redirect_uri', 'response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'].map((name) => [name, undefined]),
    )
    const { code } = await authorize(service, client, await createPerson(database), { changes: { ...only, ...changes } })
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: client.redirectUri }
    expect((await send('/api/oauth/token', fields)).body.token_type).toBe('DPoP')
  })
})

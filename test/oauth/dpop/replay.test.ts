import { beforeAll, describe, expect, test } from 'vitest'
import { algorithms, createKey, createProof } from '../../support/oauth/dpop.ts'
import { authorize, createClient, createPerson, pkce, post, refresh } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'

// A proof is accepted once (RFC 9449 §11.1). A replayed proof does not affect the grant.

const service = useService()
const { database, clock } = service
const key = createKey()
let client: TestClient
beforeAll(async () => {
  client = await createClient(database)
})
const text = 'DPoP proof was sent before'
const replayError = { error: 'invalid_dpop_proof', error_description: text }

const proofFor = (method: string, path: string, token = '') =>
  createProof(key, { token, method, url: `${service.url}${path}`, now: clock.now() })

/** Requests tokens with a proof, so that the access token is bound to the key. */
async function requestTokens() {
  const { code, verifier } = await authorize(service, client, await createPerson(database))
  const proof = await proofFor('POST', '/api/oauth/token')
  const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: client.redirectUri }
  const { status, body } = await post(service, '/api/oauth/token', client, fields, { DPoP: proof })
  expect([status, body.token_type]).toEqual([200, 'DPoP'])
  return { proof, tokens: body }
}

/** Sends the same request six times at once, checks that one succeeds, and returns the other responses. */
async function sendSixTimes<Result extends { status: number }>(send: () => Promise<Result>) {
  const responses = await Promise.all(Array.from({ length: 6 }, send))
  const rejected = responses.filter(({ status }) => status >= 400)
  expect(rejected).toHaveLength(5)
  return rejected
}

describe('a replayed DPoP proof', () => {
  test('returns invalid_dpop_proof at the token endpoint and keeps the refresh token valid', async () => {
    const { proof, tokens } = await requestTokens()
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const { status, body } = await post(service, '/api/oauth/token', client, fields, { DPoP: proof })
    expect([status, body]).toEqual([400, replayError])
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
  })

  test('returns invalid_dpop_proof to five of six simultaneous token requests', async () => {
    const proof = await proofFor('POST', '/api/oauth/token')
    const grants = await Promise.all(Array.from({ length: 6 }, requestTokens))
    const rejected = await sendSixTimes(async () => {
      const fields = { grant_type: 'refresh_token', refresh_token: grants.pop()?.tokens.refresh_token }
      return post(service, '/api/oauth/token', client, fields, { DPoP: proof })
    })
    for (const { status, body } of rejected) expect([status, body]).toEqual([400, replayError])
  })

  test('returns invalid_dpop_proof to five of six simultaneous pushed authorization requests', async () => {
    const proof = await proofFor('POST', '/api/oauth/par')
    const fields = {
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
    }
    const rejected = await sendSixTimes(() => post(service, '/api/oauth/par', client, fields, { DPoP: proof }))
    for (const { status, body } of rejected) expect([status, body]).toEqual([400, replayError])
  })

  test('returns 401 with a DPoP challenge at UserInfo', async () => {
    const { tokens } = await requestTokens()
    const path = '/api/oauth/userinfo'
    const proof = await proofFor('GET', path, tokens.access_token)
    const headers = { authorization: `DPoP ${tokens.access_token}`, DPoP: proof }
    const readUserInfo = () => fetch(`${service.url}${path}`, { headers })
    for (const response of [...(await sendSixTimes(readUserInfo)), await readUserInfo()]) {
      const challenge = `DPoP realm="${service.url}", error="invalid_dpop_proof", error_description="${text}", algs="${algorithms.join(' ')}"`
      expect([response.status, await response.json(), response.headers.get('www-authenticate')]).toEqual([401, replayError, challenge])
    }
  })
})

import { describe, expect, test } from 'vitest'
import { algorithms, createKey, createProof } from '../support/dpop.ts'
import { authorize, createClient, createPerson, pkce, post, refresh } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

// A proof counts once (RFC 9449 §11.1), and one that is sent again says nothing about the grant.

const service = await startService()
const { database, clock } = service
const key = await createKey()
const client = await createClient(database)
const text = 'DPoP proof was sent before'
const replayed = { error: 'invalid_dpop_proof', error_description: text }

const proofFor = (method: string, path: string, token = '') =>
  createProof(key, { token, method, url: `${service.url}${path}`, now: clock.now() })

/** Tokens of a grant, the access token bound to the key; and the proof they were asked for with. */
async function connected() {
  const { code, verifier } = await authorize(service, client, await createPerson(database))
  const proof = await proofFor('POST', '/api/oauth/token')
  const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: client.redirectUri }
  const { status, body } = await post(service, '/api/oauth/token', client, fields, { DPoP: proof })
  expect([status, body.token_type]).toEqual([200, 'DPoP'])
  return { proof, tokens: body }
}

/** Six times the same: one that counts, and what the others are told. */
async function sixTimes<Answer extends { status: number }>(ask: () => Promise<Answer>) {
  const answers = await Promise.all(Array.from({ length: 6 }, ask))
  const refused = answers.filter(({ status }) => status >= 400)
  expect(refused).toHaveLength(5)
  return refused
}

describe('a proof that was sent before', () => {
  test('is invalid_dpop_proof at the token endpoint, and the refresh token stays good', async () => {
    const { proof, tokens } = await connected()
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const refused = await post(service, '/api/oauth/token', client, fields, { DPoP: proof })
    expect([refused.status, refused.body]).toEqual([400, replayed])
    expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
  })

  test('is invalid_dpop_proof where six come at once', async () => {
    const proof = await proofFor('POST', '/api/oauth/token')
    const given = await Promise.all(Array.from({ length: 6 }, connected))
    const refused = await sixTimes(async () => {
      const fields = { grant_type: 'refresh_token', refresh_token: given.pop()?.tokens.refresh_token }
      return post(service, '/api/oauth/token', client, fields, { DPoP: proof })
    })
    for (const { status, body } of refused) expect([status, body]).toEqual([400, replayed])
  })

  test('is invalid_dpop_proof where a request is pushed', async () => {
    const proof = await proofFor('POST', '/api/oauth/par')
    const fields = {
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
    }
    const refused = await sixTimes(() => post(service, '/api/oauth/par', client, fields, { DPoP: proof }))
    for (const { status, body } of refused) expect([status, body]).toEqual([400, replayed])
  })

  test('is a challenge to prove anew at UserInfo', async () => {
    const { tokens } = await connected()
    const path = '/api/oauth/userinfo'
    const proof = await proofFor('GET', path, tokens.access_token)
    const headers = { authorization: `DPoP ${tokens.access_token}`, DPoP: proof }
    const ask = () => fetch(`${service.url}${path}`, { headers })
    for (const answer of [...(await sixTimes(ask)), await ask()]) {
      const challenge = `DPoP realm="${service.url}", error="invalid_dpop_proof", error_description="${text}", algs="${algorithms.join(' ')}"`
      expect([answer.status, await answer.json(), answer.headers.get('www-authenticate')]).toEqual([401, replayed, challenge])
    }
  })
})

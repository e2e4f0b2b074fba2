import { DPoP, allowInsecureRequests, generateKeyPair, protectedResourceRequest } from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { algorithms, createKey, createProof, dpopAt } from '../support/dpop.ts'
import { graphql } from '../support/graphql.ts'
import { accessToken, createGrant } from '../support/oauth-rows.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, personalToken, teamToken } from '../support/team.ts'

const service = await startService()
const { database, clock } = service
const key = await createKey()
const { path, url, bound, ask, proofFor, refused, challenge } = dpopAt(service, key)

describe('a token bound to a key', () => {
  test('opens with a proof of the key, by two statements', async () => {
    const { team, token } = await bound()
    service.statements.length = 0
    const { status, body } = await ask(token, await proofFor(token))
    expect([status, body.data]).toMatchObject([200, [{ slug: team.slug }]])
    expect(service.statements).toHaveLength(2)
    for (const scheme of ['dpop', 'DPOP']) expect((await ask(token, await proofFor(token), path, scheme)).status).toBe(200)
  })

  test.each(algorithms)('of %s opens', async (algorithm) => {
    const own = await createKey(algorithm)
    const { token } = await bound(own)
    expect((await ask(token, await proofFor(token, {}, {}, own))).status).toBe(200)
  })

  test('opens GraphQL the same way', async () => {
    const { owner, token } = await bound()
    const post = async (proof: string) => {
      const headers = { Authorization: `DPoP ${token}`, DPoP: proof, 'Content-Type': 'application/json' }
      const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: '{"query":"{ viewer { id } }"}' })
      return { status: response.status, challenge: response.headers.get('www-authenticate'), body: await response.json() }
    }
    const proof = await createProof(key, { token, method: 'POST', url: `${service.url}/graphql`, now: clock.now() })
    expect(await post(proof)).toEqual({ status: 200, challenge: null, body: { data: { viewer: { id: owner.id } } } })
    const extensions = { code: 'unauthenticated', request_id: expect.any(String) }
    const unauthenticated = { status: 401, body: { errors: [{ message: 'Unauthenticated.', extensions }] } }
    expect(await post(proof)).toEqual({ ...unauthenticated, challenge: challenge('invalid_dpop_proof') })
    const asBearer = await graphql(service, token, '{ viewer { id } }')
    expect([asBearer.status, asBearer.headers.get('www-authenticate')]).toEqual([
      401,
      challenge('invalid_token', ', error="invalid_token"'),
    ])
  })

  test('opens for a client that nobody here wrote', async () => {
    const handle = DPoP({}, await generateKeyPair('ES256'))
    const { token } = await bound({ thumbprint: await handle.calculateThumbprint() })
    const options = { DPoP: handle, [allowInsecureRequests]: true }
    const response = await protectedResourceRequest(token, 'GET', new URL(`${url}?page=1`), undefined, null, options)
    expect(response.status).toBe(200)
  })

  test('is refused to whoever holds it, with a proof or without', async () => {
    const { token } = await bound()
    for (const proof of [null, await proofFor(token)])
      expect(await refused(ask(token, proof, path, 'Bearer'))).toBe(challenge('invalid_token', ', error="invalid_token"'))
  })
})

describe('the scheme DPoP', () => {
  test('is for no token that is bound to no key', async () => {
    const { grant } = await bound()
    const token = await accessToken(database, grant)
    for (const proof of [null, await proofFor(token)]) expect(await refused(ask(token, proof))).toBe(challenge('invalid_token'))
    expect((await request(service, 'GET', path, { token })).status).toBe(200)
  })

  test('is for no personal or team token', async () => {
    const { owner, team } = await bound()
    for (const token of [await personalToken(database, owner), await teamToken(database, team)])
      expect(await refused(ask(token, await proofFor(token)))).toBe(`Bearer realm="${service.url}"`)
  })
})

describe('a service whose flow API has an address of its own', async () => {
  const flowBaseUrl = 'http://localhost:4711/api/v1'
  const flow = await startService({ flowBaseUrl })
  test('takes proofs for either address', async () => {
    const { owner } = await createOwnedTeam(flow.database)
    const token = await accessToken(flow.database, await createGrant(flow.database, owner), { jkt: key.thumbprint })
    const target = '/api/v1/rules/capabilities'
    for (const address of [`${flowBaseUrl}/rules/capabilities`, `${flow.url}${target}`]) {
      const proof = await createProof(key, { token, method: 'GET', url: address, now: flow.clock.now() })
      expect((await request(flow, 'GET', target, { headers: { Authorization: `DPoP ${token}`, DPoP: proof } })).status).toBe(200)
    }
  })
})

import { DPoP, allowInsecureRequests, generateKeyPair, protectedResourceRequest } from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { algorithms, createKey, createProof, dpopAt } from '../../support/oauth/dpop.ts'
import { graphql, noCost } from '../../support/http/graphql.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { request } from '../../support/http/request.ts'
import { resourceMetadataOf } from '../../support/http/resource-metadata.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, personalToken, teamToken } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service
const key = createKey()
const { path, url, createBoundToken, send, proofFor, expectUnauthenticated, challenge } = dpopAt(service, key)

describe('a DPoP-bound access token', () => {
  test('is accepted with a proof of its key, with two SQL statements', async () => {
    const { team, token } = await createBoundToken()
    service.statements.length = 0
    const { status, body } = await send(token, await proofFor(token))
    expect([status, body.data]).toMatchObject([200, [{ slug: team.slug }]])
    expect(service.statements).toHaveLength(2)
    for (const scheme of ['dpop', 'DPOP']) expect((await send(token, await proofFor(token), path, scheme)).status).toBe(200)
  })

  test.each(algorithms)('is accepted with a proof that is signed with %s', async (algorithm) => {
    const algorithmKey = createKey(algorithm)
    const { token } = await createBoundToken(algorithmKey)
    expect((await send(token, await proofFor(token, {}, {}, algorithmKey))).status).toBe(200)
  })

  test('is accepted by GraphQL with a proof, and rejected with a repeated proof or as a bearer token', async () => {
    const { owner, token } = await createBoundToken()
    const post = async (proof: string) => {
      const headers = { Authorization: `DPoP ${token}`, DPoP: proof, 'Content-Type': 'application/json' }
      const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: '{"query":"{ viewer { id: userId } }"}' })
      return { status: response.status, challenge: response.headers.get('www-authenticate'), body: await response.json() }
    }
    const proof = await createProof(key, { token, method: 'POST', url: `${service.url}/graphql`, now: clock.now() })
    expect(await post(proof)).toMatchObject({ status: 200, challenge: null, body: { data: { viewer: { id: owner.id } } } })
    const extensions = { code: 'unauthenticated', request_id: expect.any(String) }
    const unauthenticated = { status: 401, body: { errors: [{ message: 'Unauthenticated.', extensions }], extensions: noCost } }
    expect(await post(proof)).toEqual({ ...unauthenticated, challenge: challenge('invalid_dpop_proof', '', 'graphql') })
    const asBearer = await graphql(service, token, '{ viewer { id: userId } }')
    expect([asBearer.status, asBearer.headers.get('www-authenticate')]).toEqual([
      401,
      challenge('invalid_token', ', error="invalid_token"', 'graphql'),
    ])
  })

  test('is accepted with a proof that oauth4webapi creates', async () => {
    const handle = DPoP({}, await generateKeyPair('ES256'))
    const { token } = await createBoundToken({ thumbprint: await handle.calculateThumbprint() })
    const options = { DPoP: handle, [allowInsecureRequests]: true }
    const response = await protectedResourceRequest(token, 'GET', new URL(`${url}?page=1`), undefined, null, options)
    expect(response.status).toBe(200)
  })

  test('is rejected in the Bearer scheme, with or without a proof', async () => {
    const { token } = await createBoundToken()
    for (const proof of [null, await proofFor(token)])
      expect(await expectUnauthenticated(send(token, proof, path, 'Bearer'))).toBe(challenge('invalid_token', ', error="invalid_token"'))
  })
})

describe('the DPoP authentication scheme', () => {
  test('rejects an access token that is not bound to a key', async () => {
    const { grant } = await createBoundToken()
    const token = await accessToken(database, grant)
    for (const proof of [null, await proofFor(token)])
      expect(await expectUnauthenticated(send(token, proof))).toBe(challenge('invalid_token'))
    expect((await request(service, 'GET', path, { token })).status).toBe(200)
  })

  test('rejects personal and team tokens', async () => {
    const { owner, team } = await createBoundToken()
    for (const token of [await personalToken(database, owner), await teamToken(database, team)])
      expect(await expectUnauthenticated(send(token, await proofFor(token)))).toBe(
        `Bearer realm="${service.url}", ${resourceMetadataOf(service.url)}`,
      )
  })
})

describe('a service with a separate base URL of the flow API', () => {
  const flowBaseUrl = 'http://localhost:4711/api/v1'
  const flow = useService({ flowBaseUrl })
  test('accepts proofs for both URLs', async () => {
    const { owner } = await createOwnedTeam(flow.database)
    const token = await accessToken(flow.database, await createGrant(flow.database, owner), { jkt: key.thumbprint })
    const target = '/api/v1/rules/capabilities'
    for (const address of [`${flowBaseUrl}/rules/capabilities`, `${flow.url}${target}`]) {
      const proof = await createProof(key, { token, method: 'GET', url: address, now: flow.clock.now() })
      expect((await request(flow, 'GET', target, { headers: { Authorization: `DPoP ${token}`, DPoP: proof } })).status).toBe(200)
    }
  })
})

import { OAuth2Server } from 'oauth2-mock-server'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { presets } from '../../../schema/workload-identities/presets.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { githubClaims, githubSuffix, gitlabClaims } from '../../support/identities/ci-issuer.ts'
import { createIdentity, exchangeAssertion, jwtBearerGrant } from '../../support/identities/identity.ts'
import { useService } from '../../support/service/service.ts'

// CI providers, simulated by oauth2-mock-server, sign ID tokens with the claims of the real ones.

const service = useService()
const { database, clock, requests } = service

/** Runs a provider whose issuer has a path. */
function useProvider(path: string) {
  const server = new OAuth2Server(undefined, undefined, { endpoints: { wellKnownDocument: `${path}/.well-known/openid-configuration` } })
  const { issuer } = server
  beforeAll(async () => {
    await issuer.keys.generate('RS256')
    await server.start(0, '127.0.0.1')
    issuer.url = `http://127.0.0.1:${server.address().port}${path}`
    const jwks = JSON.stringify({ keys: issuer.keys.toJSON() })
    if (path !== '') server.service.addRoute('GET', `${path}/jwks`, (_, response) => void response.end(jwks))
  })
  afterAll(() => server.stop())
  const sign = (claims: object) => issuer.buildToken({ scopesOrTransform: (_, payload) => void Object.assign(payload, claims) })
  return { url: () => issuer.url ?? '', sign }
}
const github = useProvider(githubSuffix)
const gitlab = useProvider('')

const jobs = {
  'a workflow of GitHub Actions': {
    provider: github,
    claims: githubClaims,
    conditions: presets.github.listConditions({ projectId: '74', environment: 'production', branch: 'main' }),
  },
  'a pipeline of GitLab CI': {
    provider: gitlab,
    claims: gitlabClaims,
    conditions: presets.gitlab.listConditions({ projectId: '20', environment: 'production', branch: 'main' }),
  },
}

async function createJob(job: keyof typeof jobs, scopes = ['acct:team:read', 'acct:team:members:read']) {
  const { provider, claims, conditions } = jobs[job]
  const { team } = await createOwnedTeam(database)
  const id = await createIdentity(service, team, { issuer: provider.url(), conditions, scopes })
  return { team, id, assertion: await provider.sign(claims(provider.url(), service.url, clock.now())) }
}

describe.each(Object.keys(jobs) as (keyof typeof jobs)[])('%s', (job) => {
  test('exchanges its ID token for a token of the team, once', async () => {
    const { team, id, assertion } = await createJob(job)
    const { status, body } = await exchangeAssertion(service, { client_id: id, assertion })
    const { access_token: token, ...rest } = body
    expect([status, rest]).toEqual([
      200,
      { token_type: 'Bearer', expires_in: 900, scope: 'acct:team:read acct:team:members:read', team: team.slug },
    ])
    const path = `/api/v1/teams/${team.slug}`
    expect((await request(service, 'GET', `${path}/members`, { token })).status).toBe(200)
    expect((await request(service, 'GET', '/api/v1/user', { token })).body).toMatchObject({ kind: 'workload_identity', team: team.slug })
    expect((await request(service, 'GET', `${path}/invoices`, { token })).body.code).toBe('insufficient_scope')
    const again = await exchangeAssertion(service, { client_id: id, assertion })
    expect([again.status, again.body]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'the assertion was used before: its claim jti is not new' },
    ])
  })

  test('gets its token by openid-client, with fewer scopes and for one resource', async () => {
    const { team, id, assertion } = await createJob(job)
    const options = { execute: [openid.allowInsecureRequests] }
    const configuration = await openid.discovery(new URL(service.url), id, undefined, openid.None(), options)
    expect(configuration.serverMetadata().grant_types_supported).toContain(jwtBearerGrant)
    const parameters = { assertion, scope: 'acct:team:read', resource: `${service.url}/api` }
    const { access_token: token, scope } = await openid.genericGrantRequest(configuration, jwtBearerGrant, parameters)
    expect(scope).toBe('acct:team:read')
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })).status).toBe(200)
    const graphql = await request(service, 'POST', '/graphql', { token, body: { query: '{ viewer { kind } }' } })
    expect(graphql.status).toBe(401)
  })

  test('gets a token that is bound to a key by oauth4webapi, and revokes it', async () => {
    const { team, id, assertion } = await createJob(job)
    const options = { [oauth.allowInsecureRequests]: true } as const
    const url = new URL(service.url)
    const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options))
    const client: oauth.Client = { client_id: id }
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
    const response = await oauth.genericTokenEndpointRequest(
      server,
      client,
      oauth.None(),
      jwtBearerGrant,
      { assertion },
      { ...options, DPoP },
    )
    const tokens = await oauth.processGenericTokenEndpointResponse(server, client, response)
    expect(tokens.token_type).toBe('dpop')
    const resource = new URL(`/api/v1/teams/${team.slug}`, service.url)
    const read = () => oauth.protectedResourceRequest(tokens.access_token, 'GET', resource, undefined, undefined, { ...options, DPoP })
    expect((await read()).status).toBe(200)
    const revoked = await oauth.revocationRequest(server, client, oauth.None(), tokens.access_token, options)
    await oauth.processRevocationResponse(revoked)
    await expect(read()).rejects.toThrow(oauth.WWWAuthenticateChallengeError)
  })
})

test('the uses of a token are shown with the identity and counted once a minute', async () => {
  const { team, id, assertion } = await createJob('a pipeline of GitLab CI')
  const { body } = await exchangeAssertion(service, { client_id: id, assertion })
  await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token: body.access_token })
  const read = async () => (await database.prisma.workloadIdentity.findUniqueOrThrow({ where: { id } })).lastUsedAt
  await expect.poll(read, { timeout: 5000 }).not.toBeNull()
})

test('the identity is a client at no other endpoint', async () => {
  const { id } = await createJob('a pipeline of GitLab CI')
  const post = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(new URL(path, service.url), { method: 'POST', body: new URLSearchParams({ client_id: id, ...fields }) })
    const { error }: { error?: string } = await response.json()
    return [response.status, error]
  }
  expect(await post('/api/oauth/device', { scope: 'openid' })).toEqual([401, 'invalid_client'])
  expect(await post('/api/oauth/par', { response_type: 'code' })).toEqual([401, 'invalid_client'])
  expect(await post('/api/oauth/introspect', { token: 'x' })).toEqual([401, 'invalid_client'])
  expect(await post('/api/oauth/token', { grant_type: 'client_credentials' })).toEqual([401, 'invalid_client'])
  expect(await post('/api/oauth/token', { grant_type: 'authorization_code', code: 'x' })).toEqual([401, 'invalid_client'])
  expect(requests.at(-1)?.level).toBeLessThan(50)
})

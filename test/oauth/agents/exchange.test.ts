import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import { request } from '../../support/http/request.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { agentScopes, createAgentScene, createUnlinkedMember } from '../../support/agents/agent-scene.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { jwtBearerGrant } from '../../support/identities/identity.ts'
import { createAssertion, createClientKey, keySetOf, postWithAssertion } from '../../support/oauth/clients/client-keys.ts'
import { createKey, createProof } from '../../support/oauth/dpop.ts'
import { useService } from '../../support/service/service.ts'

// An identity provider gives an agent access for a member of its team (ID-JAG).

const service = useService()
const { database, clock } = service
const { prisma } = database
const providers = useProviders(() => clock.now())

test('an agent gets an access token of the member by openid-client', async () => {
  const scene = await createAgentScene(service, providers)
  const { client, team, member } = scene
  const options = { execute: [openid.allowInsecureRequests] }
  const configuration = await openid.discovery(
    new URL(service.url),
    client.clientId,
    undefined,
    openid.ClientSecretBasic(client.secret ?? ''),
    options,
  )
  expect(configuration.serverMetadata()).toMatchObject({
    grant_types_supported: expect.arrayContaining([jwtBearerGrant]),
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
  })
  const tokens = await openid.genericGrantRequest(configuration, jwtBearerGrant, { assertion: await scene.sign() })
  const { access_token: token, ...rest } = tokens
  expect(rest).toEqual({ token_type: 'bearer', expires_in: 900, scope: agentScopes.join(' '), team: team.slug })
  expect(token).toMatch(/^[\w-]{43}$/)
  const account = await request(service, 'GET', '/api/v1/user', { token })
  expect(account.body).toMatchObject({ kind: 'oauth', id: member.id, team: team.slug, client_id: client.clientId })
  expect((await request(service, 'GET', `/api/v1/teams/${team.slug}/members`, { token })).status).toBe(200)
  expect((await request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name: 'X' } })).status).toBe(403)
  expect(await openid.tokenIntrospection(configuration, token)).toMatchObject({
    active: true,
    sub: member.id,
    scope: agentScopes.join(' '),
    team: team.slug,
  })
  await openid.tokenRevocation(configuration, token)
  expect((await request(service, 'GET', '/api/v1/user', { token })).status).toBe(401)
})

test('both discovery documents contain the profile', async () => {
  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    const { body } = await request(service, 'GET', `/.well-known/${name}`, {})
    expect(body.authorization_grant_profiles_supported).toEqual(['urn:ietf:params:oauth:grant-profile:id-jag'])
  }
})

test('a client with a key gets a token that is bound to the key of its DPoP proof', async () => {
  const clientKey = createClientKey()
  const scene = await createAgentScene(service, providers, { client: { jwks: keySetOf(clientKey) } })
  const key = createKey()
  const target = { token: '', method: 'POST', url: `${service.url}/api/oauth/token`, now: clock.now() }
  const dpop = await createProof(key, target, { ath: undefined })
  const fields = { grant_type: jwtBearerGrant, assertion: await scene.sign({ cnf: { jkt: key.thumbprint } }) }
  const { status, body } = await postWithAssertion(
    service,
    '/api/oauth/token',
    await createAssertion(service, scene.client, clientKey),
    fields,
    { dpop },
  )
  expect([status, body.token_type]).toEqual([200, 'DPoP'])
  expect((await request(service, 'GET', '/api/v1/user', { token: body.access_token })).status).toBe(401)
})

test.each([
  ['the claim', (url: string) => ({ resource: `${url}/mcp` }), undefined],
  ['the claim, a list', (url: string) => ({ resource: ['https://other.example', `${url}/mcp`] }), undefined],
  ['the parameter', () => ({}), '/mcp'],
  ['both', (url: string) => ({ resource: [`${url}/api`, `${url}/mcp`] }), '/mcp'],
])('a token is for the resource of %s alone', async (_, changes, path) => {
  const scene = await createAgentScene(service, providers)
  const resource = path === undefined ? undefined : `${service.url}${path}`
  const { status, body } = await scene.exchange(await scene.sign(changes(service.url)), { resource })
  expect(status).toBe(200)
  expect((await request(service, 'GET', '/api/v1/user', { token: body.access_token })).status).toBe(401)
  const model = await prisma.oidcModel.findFirst({ where: { chain: { grant: { userId: scene.member.id } } } })
  expect(model?.payload).toMatchObject({ aud: `${service.url}/mcp` })
})

test('a scope that the member removed stays removed, and a revoked grant is replaced by a new one', async () => {
  const scene = await createAgentScene(service, providers)
  await scene.exchange()
  const session = await sessionOf(service, scene.member)
  const { data } = await executeAs(service, session, '{ viewer { grants { nodes { grantId } } } }')
  const id = data.viewer.grants.nodes[0].grantId
  const reduce = 'mutation ($input: ReduceGrantScopesInput!) { reduceGrantScopes(input: $input) { grant { scopes } } }'
  const reduced = await executeAs(service, session, reduce, { input: { id, scopes: ['acct:team:read'] } })
  expect(reduced.refusal).toBeNull()
  expect((await scene.exchange()).body).toMatchObject({ scope: 'acct:team:read' })
  expect((await scene.exchange(undefined, { scope: 'acct:team:members:read' })).body.error).toBe('invalid_grant')
  await executeAs(service, session, 'mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grant { grantId } } }', { id })
  expect((await scene.exchange()).body).toMatchObject({ scope: agentScopes.join(' ') })
  expect(await prisma.oAuthGrant.count({ where: { userId: scene.member.id, revokedAt: null } })).toBe(1)
})

describe('a member who has not signed in through the provider', () => {
  test('with the consent of the team, a managed member is linked by the address, as at a sign-in', async () => {
    const scene = await createAgentScene(service, providers, { provider: { linksAgentsByAddress: true } })
    const user = await createUnlinkedMember(service, scene)
    const assertion = await scene.sign({ sub: 'new', email: user.email })
    const { status, body } = await scene.exchange(assertion)
    expect(status).toBe(200)
    expect((await request(service, 'GET', '/api/v1/user', { token: body.access_token })).body.id).toBe(user.id)
    expect(await prisma.externalIdentity.findMany({ where: { userId: user.id } })).toMatchObject([
      { subject: 'new', providerId: scene.row.id },
    ])
  })

  test.each([
    ['without the consent of the team', false, {}],
    ['for an account that would have to be proved', true, { createdByTeamId: null }],
    ['for a disabled account', true, { disabledAt: new Date() }],
  ])('a member is not linked by the address %s', async (_, linksAgentsByAddress, data) => {
    const scene = await createAgentScene(service, providers, { provider: { linksAgentsByAddress } })
    const user = await createUnlinkedMember(service, scene)
    await prisma.user.update({ where: { id: user.id }, data })
    const { body } = await scene.exchange(await scene.sign({ sub: 'new', email: user.email }))
    expect(body).toMatchObject({ error: 'invalid_grant', error_description: expect.stringContaining('claim sub') })
    expect(await prisma.externalIdentity.count({ where: { userId: user.id } })).toBe(0)
  })
})

test('one grant is renewed by each assertion, with one audit entry, event and email', async () => {
  const scene = await createAgentScene(service, providers)
  const mails = service.mails.length
  const first = await scene.exchange(undefined, { scope: 'acct:team:read' })
  clock.advance(600_000)
  const second = await scene.exchange(undefined, { scope: 'acct:team:read' })
  expect([first.status, second.status]).toEqual([200, 200])
  const grants = await prisma.oAuthGrant.findMany({ where: { userId: scene.member.id } })
  expect(grants).toMatchObject([{ providerId: scene.row.id, teamId: scene.team.id, scopes: ['acct:team:read'], revokedAt: null }])
  const entries = await prisma.auditEntry.findMany({ where: { teamId: scene.team.id } })
  expect(entries).toMatchObject([
    { action: 'createGrant', actorKind: 'system', subject: grants[0]?.id, after: { provider: 'Okta', scopes: ['acct:team:read'] } },
  ])
  expect(service.mails.slice(mails)).toMatchObject([{ kind: 'app-connected', userId: scene.member.id, data: { provider: 'Okta' } }])
  await scene.exchange()
  expect((await prisma.auditEntry.findMany({ where: { teamId: scene.team.id } })).map(({ action }) => action)).toEqual([
    'createGrant',
    'extendGrant',
  ])
  // Both tokens work until they expire.
  expect((await request(service, 'GET', '/api/v1/user', { token: first.body.access_token })).status).toBe(200)
  clock.advance(301_000)
  expect((await request(service, 'GET', '/api/v1/user', { token: first.body.access_token })).status).toBe(401)
  expect((await request(service, 'GET', '/api/v1/user', { token: second.body.access_token })).status).toBe(200)
})

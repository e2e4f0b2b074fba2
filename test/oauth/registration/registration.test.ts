import * as oidc from 'openid-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { exportJWK, generateKeyPair } from 'jose'
import { createInitialAccess, publicMetadata, registerClient } from '../../support/agents/initial-access.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { authorize, createPerson, exchangeCode } from '../../support/oauth/oauth.ts'
import { startService, useService } from '../../support/service/service.ts'

// Dynamic client registration (RFC 7591): docs/decisions/clients.md#registration-by-software.

const service = useService()
const { database } = service
const { prisma } = database

async function createScene() {
  const team = await createTeam(database)
  const owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  return { team, owner, access: await createInitialAccess(database, team, owner.id) }
}
let scene: Awaited<ReturnType<typeof createScene>>
beforeEach(async () => {
  scene = await createScene()
})

const findClient = ({ body }: { body: { client_id: string } }) =>
  prisma.oAuthClient.findUniqueOrThrow({ where: { clientId: body.client_id } })

describe('a registered client', () => {
  test('is a draft of the team, and the response has all its metadata', async () => {
    const { team, access } = scene
    const response = await registerClient(service, access.value)
    const client = await findClient(response)
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(response.body).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
      ...publicMetadata,
      scope: 'openid offline_access teams acct:team:read',
      post_logout_redirect_uris: [],
      id_token_signed_response_alg: 'ES256',
      dpop_bound_access_tokens: false,
      require_pushed_authorization_requests: false,
    })
    expect(client).toMatchObject({ ownerTeamId: team.id, source: 'registration', state: 'draft', team: 'optional', confidential: false })
    expect([client.requiredScopes, client.optionalScopes]).toEqual([['openid'], ['offline_access', 'teams', 'acct:team:read']])
  })

  test('is recorded with the token that registered it, and the owners receive an email', async () => {
    const { team, owner, access } = scene
    const { body, headers } = await registerClient(service, access.value)
    const entries = await prisma.auditEntry.findMany({ where: { teamId: team.id } })
    const actor = { actorKind: 'team', authenticationMethod: 'initial_access_token', actorName: access.hint, credentialId: access.id }
    const entry = {
      action: 'createTeamClient',
      subject: body.client_id,
      subjectName: 'Weather agent',
      requestId: headers.get('x-request-id'),
    }
    expect(entries).toEqual([expect.objectContaining({ ...actor, ...entry })])
    const mail = service.mails.find((each) => 'userId' in each && each.userId === owner.id)
    expect(mail).toMatchObject({ kind: 'app-registered', by: `the initial access token ${access.hint}` })
    expect((await prisma.initialAccessToken.findUniqueOrThrow({ where: { id: access.id } })).lastUsedAt).toEqual(expect.any(Date))
    expect(service.requests.at(-1)).toMatchObject({
      route: '/api/oauth/register',
      credential: 'initial_access_token',
      credentialId: access.id,
    })
  })

  test('is confidential with a secret by default, and can request all scopes without offline_access', async () => {
    const { client_name, redirect_uris } = publicMetadata
    const response = await registerClient(service, scene.access.value, { client_name, redirect_uris, software_id: 'x', grant_type: 1 })
    expect(response.body).toMatchObject({
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    })
    expect(response.body.scope.split(' ')).toEqual(expect.arrayContaining(['openid', 'acct:team:members:write']))
    expect(response.body.scope).not.toContain('offline_access')
    expect(response.body).not.toHaveProperty('software_id')
  })

  test('can authenticate with a key, and then has no secret', async () => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256' }] }
    const metadata = { ...publicMetadata, redirect_uris: ['https://agent.example/cb'], token_endpoint_auth_method: 'private_key_jwt', jwks }
    const response = await registerClient(service, scene.access.value, metadata)
    expect(response.body).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', jwks })
    expect(response.body).not.toHaveProperty('client_secret')
    const client = await findClient(response)
    expect(await prisma.oAuthClientSecret.count({ where: { oauthClientId: client.id } })).toBe(0)
  })

  test('stays a draft where owners need no review', async () => {
    const open = await startService({ clientRegistration: 'open' })
    const { value } = await createInitialAccess(open.database, await createTeam(open.database))
    const { body } = await registerClient(open, value)
    expect(await open.database.prisma.oAuthClient.findUniqueOrThrow({ where: { clientId: body.client_id } })).toMatchObject({
      state: 'draft',
    })
  })

  test('counts towards the limit of the team', async () => {
    const { team, access } = scene
    for (let index = 0; index < 10; index++) {
      const { status } = await registerClient(service, access.value, { ...publicMetadata, client_name: `Agent ${index}` })
      expect(status).toBe(201)
    }
    const { status, body } = await registerClient(service, access.value)
    expect([status, body]).toEqual([
      400,
      { error: 'invalid_client_metadata', error_description: 'A team can have 10 clients. Delete one to register another.' },
    ])
    expect(await prisma.oAuthClient.count({ where: { ownerTeamId: team.id } })).toBe(10)
  })

  test('remains when the token is deleted, and the next registration is refused', async () => {
    const { access } = scene
    const response = await registerClient(service, access.value)
    await prisma.initialAccessToken.delete({ where: { id: access.id } })
    expect((await registerClient(service, access.value)).status).toBe(401)
    expect((await findClient(response)).disabledAt).toBeNull()
  })

  test.each(['none', 'client_secret_basic'])('is registered by openid-client with %s, and connects a member', async (method) => {
    const { owner, access } = scene
    const metadata = { ...publicMetadata, redirect_uris: ['https://agent.example/cb'], token_endpoint_auth_method: method }
    const configuration = await oidc.dynamicClientRegistration(new URL(service.url), metadata, undefined, {
      initialAccessToken: access.value,
      execute: [oidc.allowInsecureRequests],
    })
    const { client_id, client_secret } = configuration.clientMetadata()
    const stored = await prisma.oAuthClient.findUniqueOrThrow({ where: { clientId: client_id } })
    const client = {
      ...stored,
      secret: client_secret ?? null,
      redirectUri: 'https://agent.example/cb',
    }
    const { status, body } = await exchangeCode(service, client, await authorize(service, client, owner))
    expect([status, body.scope]).toEqual([200, expect.stringContaining('acct:team:read')])
  })
})

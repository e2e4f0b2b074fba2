import { describe, expect, test } from 'vitest'
import { sha256 } from '../../schema/secret.ts'
import { findClient } from '../../src/oidc/storage/client.ts'
import { executeAs, operator } from '../support/in-process.ts'
import { accessToken, createGrant } from '../support/oauth-rows.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, unique } from '../support/team.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database

const ask = (document: string, variables: Record<string, unknown> = {}) => executeAs(service, operator, document, variables)
const members = `clientId name description redirectUris confidential grantTypes requiredScopes optionalScopes team refreshReplaySeconds logoUri
  postLogoutRedirectUris backchannelLogoutUri idTokenSignedResponseAlg disabledAt createdAt updatedAt secrets { createdAt expiresAt }`
const createOne = `mutation ($input: CreateClientInput!) { createClient(input: $input) { clientSecret client { ${members} } } }`
const update = `mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { ${members} } } }`
const show = `query ($id: ID!) { client(clientId: $id) { ${members} } }`
const rotate =
  'mutation ($id: ID!, $overlap: Int) { rotateClientSecret(input: { clientId: $id, overlapSeconds: $overlap }) { clientSecret client { secrets { createdAt expiresAt } } } }'
const on = (name: string) => `mutation ($id: ID!) { ${name}(input: { clientId: $id }) { client { ${members} } } }`

async function register(said: object = {}) {
  const usual = { name: 'App', confidential: true, redirectUris: ['https://app.example/cb'], grantTypes: ['authorization_code'] }
  const { data, refusal } = await ask(createOne, { input: { ...usual, requiredScopes: ['openid'], ...said } })
  if (refusal) throw refusal
  return data.createClient as { clientSecret: string; client: any }
}
/** What the authorization server compares a secret with at this moment. */
const liveHashes = async (id: string) => (await findClient(database.pool, id, clock.now()))?.secretHashes ?? []
const hash = (secret: string) => sha256(secret).toString('hex')

describe('an OAuth client', () => {
  test('is registered, shown and listed with every member, never with a secret', async () => {
    const id = unique('app')
    const said = {
      clientId: id,
      name: ' Dashboard ',
      description: 'Shows things',
      redirectUris: ['https://app.example/cb', 'http://127.0.0.1/cb'],
      confidential: true,
      grantTypes: ['authorization_code', 'refresh_token'],
      requiredScopes: ['openid'],
      optionalScopes: ['offline_access', 'teams'],
      team: 'OPTIONAL',
      refreshReplaySeconds: 30,
      logoUri: 'https://app.example/logo.svg',
      postLogoutRedirectUris: ['https://app.example/bye'],
      backchannelLogoutUri: 'https://app.example/logout',
      idTokenSignedResponseAlg: 'RS256',
    }
    const { client, clientSecret } = await register(said)
    const secrets = [{ createdAt: client.createdAt, expiresAt: null }]
    expect(client).toEqual({
      ...said,
      name: 'Dashboard',
      disabledAt: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: client.createdAt,
      secrets,
    })
    expect(clientSecret).toMatch(/^[\w-]{43}$/)
    expect(await liveHashes(id)).toEqual([hash(clientSecret)])
    expect((await ask(show, { id })).data).toEqual({ client })
    const { data } = await ask(`{ clients(perPage: 100) { nodes { ${members} } total page perPage lastPage } }`)
    const total = await database.prisma.oAuthClient.count()
    expect(data.clients).toEqual({ nodes: expect.arrayContaining([client]), total, page: 1, perPage: 100, lastPage: 1 })
    expect(data.clients.nodes).toHaveLength(total)
  })

  test('gets an identifier unless one is given, and no secret where it is public', async () => {
    const { client, clientSecret } = await register({ confidential: false })
    expect([client.clientId, clientSecret, client.secrets]).toEqual([expect.stringMatching(/^[0-9a-f]{24}$/), null, []])
    const { refusal } = await ask(rotate, { id: client.clientId })
    const message = 'The selected client id is that of a public client, which has no secret.'
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { clientId: [message] }])
  })

  test('has an identifier of its own, also when many ask at once', async () => {
    const input = { clientId: unique('twice'), name: 'App', confidential: false, grantTypes: ['authorization_code'] }
    const said = { ...input, redirectUris: ['https://app.example/cb'], requiredScopes: ['openid'] }
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => ask(createOne, { input: said })))
    const refusals = outcomes.flatMap(({ refusal }) => (refusal ? [refusal.details.errors] : []))
    expect(refusals).toHaveLength(7)
    for (const errors of refusals) expect(errors).toEqual({ clientId: ['The client id has already been taken.'] })
  })

  test('is changed member by member: absent stays, null is what is usual, and the whole is judged', async () => {
    const { client } = await register({ description: 'Old', team: 'REQUIRED', logoUri: 'https://app.example/logo.svg' })
    const id = client.clientId
    clock.advance(1000)
    const said = { clientId: id, description: null, team: null, redirectUris: ['https://app.example/new'], optionalScopes: ['teams'] }
    const changed = (await ask(update, { input: said })).data.updateClient.client
    const next = { ...client, ...said, team: 'NONE', updatedAt: expect.not.stringContaining(client.updatedAt) }
    expect(changed).toEqual(next)
    expect((await ask(update, { input: { clientId: id } })).data.updateClient.client).toEqual(changed)
    for (const [wrong, errors] of [
      [{ name: null }, { name: ['The name field is required.'] }],
      [{ redirectUris: [] }, { redirectUris: ['The redirect uris field is required.'] }],
      [{ requiredScopes: ['teams'] }, { optionalScopes: ['The optional scopes field must not have teams, which is required already.'] }],
    ] as const) {
      const { refusal } = await ask(update, { input: { clientId: id, ...wrong } })
      expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', errors])
    }
    expect((await ask(show, { id })).data.client).toEqual(changed)
  })

  test('that is none is not found, whatever it is called', async () => {
    for (const id of ['nobody', 'a b', '', '\0', 'x'.repeat(200)])
      for (const document of [show, rotate, on('disableClient'), on('enableClient'), on('deleteClient')])
        expect((await ask(document, { id })).refusal?.code).toBe('not_found')
    expect((await ask(update, { input: { clientId: 'nobody', name: 'X' } })).refusal?.code).toBe('not_found')
  })
})

describe('the secret of a client', () => {
  test('that is rotated keeps working for the overlap, and no longer', async () => {
    const { client, clientSecret: first } = await register()
    const id = client.clientId
    const { data } = await ask(rotate, { id, overlap: 3600 })
    const { clientSecret: second, client: rotated } = data.rotateClientSecret
    expect(rotated.secrets).toEqual([
      { createdAt: expect.any(String), expiresAt: null },
      { createdAt: client.createdAt, expiresAt: expect.any(String) },
    ])
    expect((await liveHashes(id)).toSorted()).toEqual([hash(first), hash(second)].toSorted())
    clock.advance(3_600_001)
    expect(await liveHashes(id)).toEqual([hash(second)])
    expect((await ask(show, { id })).data.client.secrets).toEqual([{ createdAt: expect.any(String), expiresAt: null }])
    const { clientSecret: third } = (await ask(rotate, { id })).data.rotateClientSecret
    expect(await liveHashes(id)).toEqual([hash(third)])
    expect(await prisma.oAuthClientSecret.count({ where: { client: { clientId: id } } })).toBe(1)
  })

  test('that is rotated while two work ends the older at once, and none lives longer for it', async () => {
    const { client } = await register()
    const id = client.clientId
    const { clientSecret: second } = (await ask(rotate, { id, overlap: 3600 })).data.rotateClientSecret
    const { clientSecret: third } = (await ask(rotate, { id, overlap: 60 })).data.rotateClientSecret
    expect((await liveHashes(id)).toSorted()).toEqual([hash(second), hash(third)].toSorted())
    clock.advance(60_001)
    expect(await liveHashes(id)).toEqual([hash(third)])
  })

  test('that many rotate at once: each gets another, and at most two work', async () => {
    const { client } = await register()
    const id = client.clientId
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => ask(rotate, { id, overlap: 86_400 })))
    const values = outcomes.map(({ data, refusal }) => refusal ?? data.rotateClientSecret.clientSecret)
    expect(new Set(values).size).toBe(20)
    const live = await liveHashes(id)
    expect(live).toHaveLength(2)
    expect(values.map(hash)).toEqual(expect.arrayContaining(live))
    const stored = await prisma.oAuthClientSecret.findMany({ where: { client: { clientId: id } } })
    expect(stored.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1)
  })

  test.each([
    [-1, 'The overlap seconds field must be at least 0.'],
    [2_592_001, 'The overlap seconds field must not be greater than 2592000.'],
  ])('is not rotated with an overlap of %d seconds', async (overlap, message) => {
    const { client } = await register()
    const { refusal } = await ask(rotate, { id: client.clientId, overlap })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { overlapSeconds: [message] }])
  })
})

describe('given a client with a token that opens the API', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const grant = await createGrant(database, owner, { team })
  const token = await accessToken(database, grant, { expiresAt: new Date('2099-01-01') })
  const id = grant.client.clientId
  const answer = async () => {
    const { status, body } = await request(service, 'GET', '/api/v1/user', { token })
    return [status, body.scopes ?? body.code]
  }

  test('a scope it is registered for no longer is gone with the next request, and back when it is registered again', async () => {
    const { requiredScopes, optionalScopes } = grant.client
    expect(await answer()).toEqual([200, expect.arrayContaining(['teams', 'acct:team:read'])])
    await ask(update, { input: { clientId: id, optionalScopes: ['offline_access', 'teams'] } })
    expect(await answer()).toEqual([200, expect.not.arrayContaining(['acct:team:read'])])
    await ask(update, { input: { clientId: id, requiredScopes, optionalScopes } })
    expect(await answer()).toEqual([200, expect.arrayContaining(['teams', 'acct:team:read'])])
  })

  test('disabled it opens nothing, enabled again it does, deleted it is gone with its grants', async () => {
    const disabled = (await ask(on('disableClient'), { id })).data.disableClient.client
    expect([disabled.disabledAt, await answer()]).toEqual([expect.any(String), [401, 'unauthenticated']])
    clock.advance(1000)
    expect((await ask(on('disableClient'), { id })).data.disableClient.client.disabledAt).toBe(disabled.disabledAt)
    const enabled = (await ask(on('enableClient'), { id })).data.enableClient.client
    expect([enabled.disabledAt, (await answer())[0]]).toEqual([null, 200])
    expect((await ask(on('deleteClient'), { id })).data.deleteClient.client).toEqual(enabled)
    expect([await answer(), await prisma.oAuthGrant.count({ where: { id: grant.id } })]).toEqual([[401, 'unauthenticated'], 0])
    expect(await prisma.oAuthArtifact.count({ where: { grantId: grant.id } })).toBe(0)
  })
})

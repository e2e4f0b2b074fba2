import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { findClient } from '../../../src/oidc/storage/stored-client.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { unique } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service

const execute = (document: string, variables: Record<string, unknown> = {}) => executeAs(service, operator, document, variables)
const clientFields = `clientId name description redirectUris confidential grantTypes requiredScopes optionalScopes team refreshReplaySeconds logoUri publisher verified clientUri policyUri tosUri
  postLogoutRedirectUris backchannelLogoutUri idTokenSignedResponseAlg dpopBoundAccessTokens requirePushedAuthorizationRequests requireKeyAuthentication jwks jwksUri disabledAt createdAt updatedAt secrets { createdAt expiresAt }`
const create = `mutation ($input: CreateClientInput!) { createClient(input: $input) { clientSecret client { ${clientFields} } } }`
const update = `mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { ${clientFields} } } }`
const show = `query ($id: ID!) { client(clientId: $id) { ${clientFields} } }`
const rotate =
  'mutation ($id: ID!, $overlap: Int) { rotateClientSecret(input: { clientId: $id, overlapSeconds: $overlap }) { clientSecret client { secrets { createdAt expiresAt } } } }'
const onClient = (name: string) => `mutation ($id: ID!) { ${name}(input: { clientId: $id }) { client { ${clientFields} } } }`

async function register(input: object = {}) {
  const defaults = { name: 'App', confidential: true, redirectUris: ['https://app.example/cb'], grantTypes: ['authorization_code'] }
  const { data, refusal } = await execute(create, { input: { ...defaults, requiredScopes: ['openid'], ...input } })
  if (refusal) throw refusal
  const created: { clientSecret: string; client: any } = data.createClient
  return created
}
/** The hashes that the authorization server currently compares a secret with. */
const findActiveSecretHashes = async (id: string) => (await findClient(database.pool, id, clock.now()))?.secretHashes ?? []
const hash = (secret: string) => sha256(secret).toString('hex')

describe('an OAuth client', () => {
  test('is registered, returned and listed with every field and without its secret', async () => {
    const id = unique('app')
    const input = {
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
      publisher: 'Example GmbH',
      verified: true,
      clientUri: 'https://app.example/',
      policyUri: 'https://app.example/privacy',
      tosUri: 'https://app.example/terms',
      postLogoutRedirectUris: ['https://app.example/bye'],
      backchannelLogoutUri: 'https://app.example/logout',
      idTokenSignedResponseAlg: 'RS256',
      dpopBoundAccessTokens: true,
      requirePushedAuthorizationRequests: true,
      requireKeyAuthentication: true,
      jwks: null,
      jwksUri: 'https://app.example/keys.json',
    }
    const { client, clientSecret } = await register(input)
    const secrets = [{ createdAt: client.createdAt, expiresAt: null }]
    expect(client).toEqual({
      ...input,
      name: 'Dashboard',
      disabledAt: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: client.createdAt,
      secrets,
    })
    expect(clientSecret).toMatch(/^[\w-]{43}$/)
    expect(await findActiveSecretHashes(id)).toEqual([hash(clientSecret)])
    expect((await execute(show, { id })).data).toEqual({ client })
    const { data } = await execute(`{ clients(perPage: 100) { nodes { ${clientFields} } total page perPage lastPage } }`)
    const total = await database.prisma.oAuthClient.count()
    expect(data.clients).toEqual({ nodes: expect.arrayContaining([client]), total, page: 1, perPage: 100, lastPage: 1 })
    expect(data.clients.nodes).toHaveLength(total)
  })

  test('receives a generated identifier by default, and no secret if it is public', async () => {
    const { client, clientSecret } = await register({ confidential: false })
    expect([client.clientId, clientSecret, client.secrets]).toEqual([expect.stringMatching(/^[0-9a-f]{24}$/), null, []])
    const { refusal } = await execute(rotate, { id: client.clientId })
    const message = 'The selected client id is that of a public client, which has no secret.'
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { clientId: [message] }])
  })

  test('has a unique identifier, also with concurrent registrations', async () => {
    const required = { clientId: unique('twice'), name: 'App', confidential: false, grantTypes: ['authorization_code'] }
    const input = { ...required, redirectUris: ['https://app.example/cb'], requiredScopes: ['openid'] }
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => execute(create, { input })))
    const refusals = outcomes.flatMap(({ refusal }) => (refusal ? [refusal.details.errors] : []))
    expect(refusals).toHaveLength(7)
    for (const errors of refusals) expect(errors).toEqual({ clientId: ['The client id has already been taken.'] })
  })

  test('is updated field by field: absent fields stay, so does null where there is always a value, and the result is validated', async () => {
    const { client } = await register({ description: 'Old', team: 'REQUIRED', logoUri: 'https://app.example/logo.svg' })
    const id = client.clientId
    clock.advance(1000)
    const input = { clientId: id, description: null, team: null, redirectUris: ['https://app.example/new'], optionalScopes: ['teams'] }
    const changed = (await execute(update, { input: input })).data.updateClient.client
    const next = { ...client, ...input, team: 'REQUIRED', updatedAt: expect.not.stringContaining(client.updatedAt) }
    expect(changed).toEqual(next)
    expect((await execute(update, { input: { clientId: id } })).data.updateClient.client).toEqual(changed)
    for (const [wrong, errors] of [
      [{ name: null }, { name: ['The name field is required.'] }],
      [{ redirectUris: [] }, { redirectUris: ['The redirect uris field is required.'] }],
      [{ requiredScopes: ['teams'] }, { optionalScopes: ['The optional scopes field must not have teams, which is required already.'] }],
    ] as const) {
      const { refusal } = await execute(update, { input: { clientId: id, ...wrong } })
      expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', errors])
    }
    expect((await execute(show, { id })).data.client).toEqual(changed)
  })

  test('is not found by an unknown identifier', async () => {
    for (const id of ['unknown', 'a b', '', '\0', 'x'.repeat(200)])
      for (const document of [show, rotate, onClient('disableClient'), onClient('enableClient'), onClient('deleteClient')])
        expect((await execute(document, { id })).refusal?.code).toBe('not_found')
    expect((await execute(update, { input: { clientId: 'unknown', name: 'X' } })).refusal?.code).toBe('not_found')
  })
})

describe('a client secret', () => {
  test('stays valid after a rotation until the end of the overlap', async () => {
    const { client, clientSecret: first } = await register()
    const id = client.clientId
    const { data } = await execute(rotate, { id, overlap: 3600 })
    const { clientSecret: second, client: rotated } = data.rotateClientSecret
    expect(rotated.secrets).toEqual([
      { createdAt: expect.any(String), expiresAt: null },
      { createdAt: client.createdAt, expiresAt: expect.any(String) },
    ])
    expect((await findActiveSecretHashes(id)).toSorted()).toEqual([hash(first), hash(second)].toSorted())
    clock.advance(3_600_001)
    expect(await findActiveSecretHashes(id)).toEqual([hash(second)])
    expect((await execute(show, { id })).data.client.secrets).toEqual([{ createdAt: expect.any(String), expiresAt: null }])
    const { clientSecret: third } = (await execute(rotate, { id })).data.rotateClientSecret
    expect(await findActiveSecretHashes(id)).toEqual([hash(third)])
    expect(await database.prisma.oAuthClientSecret.count({ where: { client: { clientId: id } } })).toBe(1)
  })

  test('expires immediately if it is the older of two valid secrets at a rotation, which extends no other secret', async () => {
    const { client } = await register()
    const id = client.clientId
    const { clientSecret: second } = (await execute(rotate, { id, overlap: 3600 })).data.rotateClientSecret
    const { clientSecret: third } = (await execute(rotate, { id, overlap: 60 })).data.rotateClientSecret
    expect((await findActiveSecretHashes(id)).toSorted()).toEqual([hash(second), hash(third)].toSorted())
    clock.advance(60_001)
    expect(await findActiveSecretHashes(id)).toEqual([hash(third)])
  })

  test('is rotated by concurrent requests to different values, of which at most two are valid', async () => {
    const { client } = await register()
    const id = client.clientId
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => execute(rotate, { id, overlap: 86_400 })))
    const values = outcomes.map(({ data, refusal }) => refusal ?? data.rotateClientSecret.clientSecret)
    expect(new Set(values).size).toBe(20)
    const live = await findActiveSecretHashes(id)
    expect(live).toHaveLength(2)
    expect(values.map(hash)).toEqual(expect.arrayContaining(live))
    const stored = await database.prisma.oAuthClientSecret.findMany({ where: { client: { clientId: id } } })
    expect(stored.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1)
  })

  test.each([
    [-1, 'The overlap seconds field must be at least 0.'],
    [2_592_001, 'The overlap seconds field must not be greater than 2592000.'],
  ])('cannot be rotated with an overlap of %d seconds', async (overlap, message) => {
    const { client } = await register()
    const { refusal } = await execute(rotate, { id: client.clientId, overlap })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { overlapSeconds: [message] }])
  })
})

import { describe, expect, test } from 'vitest'
import { travel } from '../support/clock.ts'
import { authorize, createClient, createPerson, exchangeCode, pkce, post } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service
const tokenPath = '/api/oauth/token'
const invalidGrant = { error: 'invalid_grant', error_description: 'grant request is invalid' }

async function authorized(options: Parameters<typeof createClient>[1] = {}) {
  const client = await createClient(database, options)
  return { client, ...(await authorize(service, client, await createPerson(database))) }
}
const codeFields = ({ code, verifier, client }: { code: string; verifier: string; client: TestClient }) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: client.redirectUri,
  code_verifier: verifier,
})

describe('a code', () => {
  test.each([
    ['a wrong verifier', { code_verifier: pkce().verifier }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect_uri', { redirect_uri: 'https://app.example/callback/' }],
    ['a code nobody gave', { code: 'A'.repeat(43) }],
  ])('with %s is invalid_grant, and stays good for its client', async (_, changes) => {
    const given = await authorized()
    const refused = await post(service, tokenPath, given.client, { ...codeFields(given), ...changes })
    expect([refused.status, refused.body]).toEqual([400, invalidGrant])
    expect((await exchangeCode(service, given.client, given)).status).toBe(200)
  })

  test('without a redirect_uri is invalid_request', async () => {
    const given = await authorized()
    const { redirect_uri: _, ...fields } = codeFields(given)
    const { status, body } = await post(service, tokenPath, given.client, fields)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  test('of another client is invalid_grant', async () => {
    const given = await authorized()
    const other = await createClient(database)
    expect((await post(service, tokenPath, other, codeFields(given))).body).toEqual(invalidGrant)
  })

  test('used twice revokes what the first use gave', async () => {
    const given = await authorized()
    const { body } = await exchangeCode(service, given.client, given)
    expect((await exchangeCode(service, given.client, given)).body).toEqual(invalidGrant)
    expect((await request(service, 'GET', '/api/v1/user', { token: body.access_token })).status).toBe(401)
    const refreshed = await post(service, tokenPath, given.client, { grant_type: 'refresh_token', refresh_token: body.refresh_token })
    expect(refreshed.body).toEqual(invalidGrant)
  })

  test('used 20 times at once gives one answer', async () => {
    const given = await authorized()
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchangeCode(service, given.client, given)))
    const tokens = answers.filter(({ status }) => status === 200).map(({ body }) => body.access_token)
    expect(new Set(tokens).size).toBe(1)
    expect(await database.prisma.oAuthArtifact.count({ where: { kind: 'AccessToken', grant: { oauthClientId: given.client.id } } })).toBe(1)
  })

  test('after a minute is invalid_grant', async () => {
    const given = await authorized()
    travel(61_000)
    expect((await exchangeCode(service, given.client, given)).body).toEqual(invalidGrant)
  })
})

describe('a client that authenticates wrongly', () => {
  const assertion = 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'
  const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const basic = (id: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` })

  test.each<[string, number, string, (client: TestClient, other: TestClient) => [Record<string, string>, Record<string, string>]]>([
    ['a wrong secret', 401, 'invalid_client', ({ clientId }) => [{}, basic(clientId, 'wrong')]],
    ['the secret of another client', 401, 'invalid_client', ({ clientId }, { secret }) => [{}, basic(clientId, secret ?? '')]],
    ['no secret', 401, 'invalid_client', ({ clientId }) => [{ client_id: clientId }, {}]],
    [
      'Basic and its secret in the form',
      400,
      'invalid_request',
      ({ clientId, secret }) => [{ client_secret: secret ?? '' }, basic(clientId, secret ?? '')],
    ],
    ['its secret in the form', 401, 'invalid_client', ({ clientId, secret }) => [{ client_id: clientId, client_secret: secret ?? '' }, {}]],
    [
      'Basic and another client_id',
      400,
      'invalid_request',
      ({ clientId, secret }, other) => [{ client_id: other.clientId }, basic(clientId, secret ?? '')],
    ],
    [
      'an assertion that its secret signed',
      401,
      'invalid_client',
      ({ clientId }) => [{ client_id: clientId, client_assertion: assertion, client_assertion_type: assertionType }, {}],
    ],
    [
      'Basic and an assertion',
      400,
      'invalid_request',
      ({ clientId, secret }) => [{ client_assertion: assertion, client_assertion_type: assertionType }, basic(clientId, secret ?? '')],
    ],
    ['an unknown client_id', 401, 'invalid_client', () => [{ client_id: 'nobody' }, {}]],
    ['nothing', 400, 'invalid_request', () => [{}, {}]],
    ['a malformed header', 400, 'invalid_request', () => [{}, { authorization: 'Basic !!!' }]],
    ['a bearer token', 400, 'invalid_request', () => [{}, { authorization: 'Bearer abc' }]],
  ])('with %s gets %i %s', async (_, status, error, credentials) => {
    const given = await authorized()
    const [fields, headers] = credentials(given.client, await createClient(database))
    const refused = await post(service, tokenPath, { clientId: '', secret: '' }, { ...codeFields(given), ...fields }, headers)
    expect([refused.status, refused.body]).toEqual([status, { error, error_description: expect.any(String) }])
    expect(JSON.stringify(refused.body)).not.toContain(given.client.secret)
    expect((await exchangeCode(service, given.client, given)).status).toBe(200)
  })

  test('being public and sending a secret gets invalid_client', async () => {
    const given = await authorized({ confidential: false })
    for (const [fields, headers] of [
      [{ client_id: given.client.clientId, client_secret: 'x' }, {}],
      [{}, basic(given.client.clientId, 'x')],
    ] as const) {
      const refused = await post(service, tokenPath, { clientId: '', secret: '' }, { ...codeFields(given), ...fields }, headers)
      expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client'])
    }
  })

  test('being disabled gets invalid_client', async () => {
    const given = await authorized()
    await database.prisma.oAuthClient.update({ where: { id: given.client.id }, data: { disabledAt: new Date() } })
    const refused = await exchangeCode(service, given.client, given)
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client'])
  })
})

describe('a grant type', () => {
  test.each([
    ['that the client is not registered for', 'urn:ietf:params:oauth:grant-type:device_code', 'unauthorized_client'],
    ['implicit', 'implicit', 'unsupported_grant_type'],
    ['password', 'password', 'unsupported_grant_type'],
    ['client_credentials', 'client_credentials', 'unsupported_grant_type'],
    ['nobody knows', 'magic', 'unsupported_grant_type'],
  ])('%s (%s) is %s', async (_, grant_type, error) => {
    const { status, body } = await post(service, tokenPath, await createClient(database), { grant_type, device_code: 'x' })
    expect([status, body.error]).toEqual([400, error])
  })
})

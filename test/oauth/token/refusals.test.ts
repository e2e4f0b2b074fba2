import { describe, expect, test } from 'vitest'
import { invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { travel } from '../../support/service/clock.ts'
import { deviceGrantType } from '../../support/oauth/device.ts'
import { basicAuthorization } from '../../support/oauth/client-authentication.ts'
import { authorize, createClient, createPerson, exchangeCode, pkce, post } from '../../support/oauth/oauth.ts'
import type { ClientOptions, TestClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const tokenPath = '/api/oauth/token'

/** Creates a client and an authorization code for it. */
async function issueCode(options: ClientOptions = {}) {
  const client = await createClient(database, options)
  return { client, ...(await authorize(service, client, await createPerson(database))) }
}
const codeFields = ({ code, verifier, client }: { code: string; verifier: string; client: TestClient }) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: client.redirectUri,
  code_verifier: verifier,
})

describe('POST /api/oauth/token with an authorization code', () => {
  test.each([
    ['a wrong code_verifier', { code_verifier: pkce().verifier }],
    ['an empty code_verifier', { code_verifier: '' }],
    ['another redirect_uri', { redirect_uri: 'https://app.example/callback/' }],
    ['an unknown code', { code: 'A'.repeat(43) }],
  ])('returns invalid_grant for %s and keeps the issued code valid', async (_, changes) => {
    const issued = await issueCode()
    const response = await post(service, tokenPath, issued.client, { ...codeFields(issued), ...changes })
    expect([response.status, response.body]).toEqual([400, invalidGrant])
    expect((await exchangeCode(service, issued.client, issued)).status).toBe(200)
  })

  test('returns invalid_request without a redirect_uri', async () => {
    const issued = await issueCode()
    const { redirect_uri: _, ...fields } = codeFields(issued)
    const { status, body } = await post(service, tokenPath, issued.client, fields)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  test('returns invalid_grant for a code of another client', async () => {
    const issued = await issueCode()
    const other = await createClient(database)
    expect((await post(service, tokenPath, other, codeFields(issued))).body).toEqual(invalidGrant)
  })

  test('issues one access token for 20 simultaneous requests with the same code', async () => {
    const issued = await issueCode()
    const responses = await Promise.all(Array.from({ length: 20 }, () => exchangeCode(service, issued.client, issued)))
    const tokens = responses.filter(({ status }) => status === 200).map(({ body }) => body.access_token)
    expect(new Set(tokens).size).toBe(1)
    for (const { status, body } of responses) if (status !== 200) expect([status, body]).toEqual([400, invalidGrant])
    const chain = { grant: { oauthClientId: issued.client.id } }
    expect(await database.prisma.oidcModel.count({ where: { kind: 'AccessToken', chain } })).toBe(1)
  })

  test('returns invalid_grant for a code that is older than one minute', async () => {
    const issued = await issueCode()
    travel(61_000)
    expect((await exchangeCode(service, issued.client, issued)).body).toEqual(invalidGrant)
  })
})

describe('client authentication at POST /api/oauth/token', () => {
  const assertion = 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'
  const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
  const basic = (clientId: string, secret: string | null) => ({ authorization: basicAuthorization(clientId, secret) })

  test.each<[string, number, string, (client: TestClient, other: TestClient) => [Record<string, string>, Record<string, string>]]>([
    ['a wrong secret', 401, 'invalid_client', ({ clientId }) => [{}, basic(clientId, 'wrong')]],
    ['the secret of another client', 401, 'invalid_client', ({ clientId }, { secret }) => [{}, basic(clientId, secret)]],
    ['a client_id without a secret', 401, 'invalid_client', ({ clientId }) => [{ client_id: clientId }, {}]],
    [
      'Basic authentication and the secret in the form',
      400,
      'invalid_request',
      ({ clientId, secret }) => [{ client_secret: secret ?? '' }, basic(clientId, secret)],
    ],
    [
      'the secret in the form only',
      401,
      'invalid_client',
      ({ clientId, secret }) => [{ client_id: clientId, client_secret: secret ?? '' }, {}],
    ],
    [
      'Basic authentication and another client_id in the form',
      400,
      'invalid_request',
      ({ clientId, secret }, other) => [{ client_id: other.clientId }, basic(clientId, secret)],
    ],
    [
      'a client assertion that is signed with the secret',
      401,
      'invalid_client',
      ({ clientId }) => [{ client_id: clientId, client_assertion: assertion, client_assertion_type: assertionType }, {}],
    ],
    [
      'Basic authentication and a client assertion',
      400,
      'invalid_request',
      ({ clientId, secret }) => [{ client_assertion: assertion, client_assertion_type: assertionType }, basic(clientId, secret)],
    ],
    ['an unknown client_id', 401, 'invalid_client', () => [{ client_id: 'nobody' }, {}]],
    ['no client authentication', 400, 'invalid_request', () => [{}, {}]],
    ['a malformed Authorization header field', 400, 'invalid_request', () => [{}, { authorization: 'Basic !!!' }]],
    ['a bearer token', 400, 'invalid_request', () => [{}, { authorization: 'Bearer abc' }]],
  ])('with %s returns %i %s and keeps the code valid', async (_, status, error, credentials) => {
    const issued = await issueCode()
    const [fields, headers] = credentials(issued.client, await createClient(database))
    const response = await post(service, tokenPath, { clientId: '', secret: '' }, { ...codeFields(issued), ...fields }, headers)
    expect([response.status, response.body]).toEqual([status, { error, error_description: expect.any(String) }])
    expect(JSON.stringify(response.body)).not.toContain(issued.client.secret)
    expect((await exchangeCode(service, issued.client, issued)).status).toBe(200)
  })

  test('of a public client with a secret returns invalid_client', async () => {
    const issued = await issueCode({ confidential: false })
    for (const [fields, headers] of [
      [{ client_id: issued.client.clientId, client_secret: 'x' }, {}],
      [{}, basic(issued.client.clientId, 'x')],
    ] as const) {
      const response = await post(service, tokenPath, { clientId: '', secret: '' }, { ...codeFields(issued), ...fields }, headers)
      expect([response.status, response.body.error]).toEqual([401, 'invalid_client'])
    }
  })

  test('of a disabled client returns invalid_client', async () => {
    const issued = await issueCode()
    await database.prisma.oAuthClient.update({ where: { id: issued.client.id }, data: { disabledAt: new Date() } })
    const response = await exchangeCode(service, issued.client, issued)
    expect([response.status, response.body.error]).toEqual([401, 'invalid_client'])
  })
})

describe('POST /api/oauth/token with the grant type', () => {
  test.each([
    [deviceGrantType, 'unauthorized_client', 'not registered for the client'],
    ['implicit', 'unsupported_grant_type', 'not supported'],
    ['password', 'unsupported_grant_type', 'not supported'],
    ['client_credentials', 'unauthorized_client', 'not registered for the client'],
    ['magic', 'unsupported_grant_type', 'unknown'],
  ])('%s returns %s (%s)', async (grant_type, error) => {
    const { status, body } = await post(service, tokenPath, await createClient(database), { grant_type, device_code: 'x' })
    expect([status, body.error]).toEqual([400, error])
  })
})

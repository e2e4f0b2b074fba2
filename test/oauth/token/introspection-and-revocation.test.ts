import { describe, expect, test } from 'vitest'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { authorize, createClient, createPerson, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const introspect = (client: Parameters<typeof post>[2], token: string) => post(service, '/api/oauth/introspect', client, { token })
const revoke = (client: Parameters<typeof post>[2], token: string) => post(service, '/api/oauth/revoke', client, { token })
const userInfo = (authorization?: string, query = '') =>
  fetch(`${service.url}/api/oauth/userinfo${query}`, { headers: authorization ? { authorization } : {} })

/** Expected status code, body and challenge of an error response of UserInfo (RFC 6750 §3). */
const expectedError = (status: number, error: string, text: string, scope?: string) => [
  status,
  { error, error_description: text, ...(scope && { scope }) },
  `Bearer realm="${service.url}", error="${error}", error_description="${text}"${scope ? `, scope="${scope}"` : ''}`,
]
const errorOf = async (pending: Promise<Response>) => {
  const response = await pending
  return [response.status, await response.json(), response.headers.get('www-authenticate')]
}

describe('POST /api/oauth/introspect', () => {
  test('describes the access and refresh tokens of the confidential client that authenticates', async () => {
    const { user, client, tokens } = await connectClient(service)
    const { status, body } = await introspect(client, tokens.access_token)
    const member = { active: true, client_id: client.clientId, sub: user.id, iss: service.url, scope: tokens.scope, team: null }
    expect([status, body]).toEqual([200, { ...member, exp: expect.any(Number), iat: expect.any(Number), token_type: 'Bearer' }])
    expect((await introspect(client, tokens.refresh_token)).body).toMatchObject(member)
  })

  test('returns inactive for ID tokens, tokens of another client, unknown, replaced or revoked tokens, and disabled users', async () => {
    const { user, client, tokens } = await connectClient(service)
    const inactive = { active: false }
    expect((await introspect(await createClient(database), tokens.access_token)).body).toEqual(inactive)
    expect((await introspect(client, 'A'.repeat(43))).body).toEqual(inactive)
    const idToken = await introspect(client, tokens.id_token)
    expect([idToken.status, idToken.body]).toEqual([200, inactive])
    const { body: next } = await refresh(service, client, tokens.refresh_token)
    expect((await introspect(client, tokens.refresh_token)).body).toEqual(inactive)
    await database.prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } })
    expect((await introspect(client, next.access_token)).body).toEqual(inactive)
  })

  test('returns inactive to a public client', async () => {
    const { client, tokens } = await connectClient(service, { confidential: false })
    expect((await introspect(client, tokens.access_token)).body).toEqual({ active: false })
  })

  test('returns invalid_request without client authentication', async () => {
    const { tokens } = await connectClient(service)
    const { status, body } = await introspect({ clientId: '', secret: '' }, tokens.access_token)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })
})

describe('POST /api/oauth/revoke', () => {
  test('revokes one access token, or for a refresh token its chain', async () => {
    const { client, tokens } = await connectClient(service)
    expect(await revoke(client, tokens.access_token)).toMatchObject({ status: 200, body: {} })
    expect((await request(service, 'GET', '/api/v1/user', { token: tokens.access_token })).status).toBe(401)
    const { status, body } = await refresh(service, client, tokens.refresh_token)
    expect(status).toBe(200)
    expect((await revoke(client, body.refresh_token)).status).toBe(200)
    expect((await request(service, 'GET', '/api/v1/user', { token: body.access_token })).status).toBe(401)
  })

  test('returns 200 and revokes nothing for a token of another client or an unknown token', async () => {
    const { client, tokens } = await connectClient(service)
    const other = await createClient(database)
    for (const token of [tokens.access_token, tokens.refresh_token, 'A'.repeat(43)]) {
      expect(await revoke(other, token)).toMatchObject({ status: 200, body: {} })
    }
    expect((await introspect(client, tokens.access_token)).body.active).toBe(true)
  })
})

describe('GET /api/oauth/userinfo', () => {
  test('returns the claims of the granted scopes', async () => {
    const { user, tokens } = await connectClient(service)
    const response = await userInfo(`Bearer ${tokens.access_token}`)
    expect([response.status, await response.json()]).toEqual([200, { sub: user.id }])
  })

  test('rejects a token in the query string, an unknown token, a token without openid, and a request without a token', async () => {
    const { tokens } = await connectClient(service)
    const client = await createClient(database)
    const user = await createPerson(database)
    const authorized = await authorize(service, client, user, { changes: { scope: 'teams' } })
    const { body: withoutOpenid } = await exchangeCode(service, client, authorized)
    const errors = [
      await errorOf(userInfo(undefined, `?access_token=${tokens.access_token}`)),
      await errorOf(userInfo(`Bearer ${'A'.repeat(43)}`)),
      await errorOf(userInfo(`Bearer ${withoutOpenid.access_token}`)),
      await errorOf(userInfo()),
    ]
    expect(errors).toEqual([
      expectedError(400, 'invalid_request', 'access tokens must not be provided via query parameter'),
      expectedError(401, 'invalid_token', 'invalid token provided'),
      expectedError(403, 'insufficient_scope', 'access token missing openid scope', 'openid'),
      [
        401,
        { error: 'invalid_token', error_description: 'no access token provided' },
        // Without a credential the challenge has no error code (RFC 6750 §3) and lists both accepted schemes.
        `Bearer realm="${service.url}", DPoP realm="${service.url}", algs="ES256 ES384 Ed25519 EdDSA PS256 RS256"`,
      ],
    ])
  })

  test.each(['pat_0123456789ABCDEFGHIJKLMNOPQRST1fukiD', 'x', 'a b', '€'])('rejects %s as an access token', async (token) => {
    expect(await errorOf(userInfo(`Bearer ${encodeURIComponent(token)}`))).toEqual(
      expectedError(401, 'invalid_token', 'invalid token provided'),
    )
  })
})

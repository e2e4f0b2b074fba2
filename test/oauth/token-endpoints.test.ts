import { describe, expect, test } from 'vitest'
import { authorize, createClient, createPerson, exchangeCode, post, refresh } from '../support/oauth.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service

async function connected(options: Parameters<typeof createClient>[1] = {}) {
  const person = await createPerson(database)
  const client = await createClient(database, options)
  const { body } = await exchangeCode(service, client, await authorize(service, client, person))
  return { person, client, tokens: body }
}
const introspect = (client: Parameters<typeof post>[2], token: string) => post(service, '/api/oauth/introspect', client, { token })
const revoke = (client: Parameters<typeof post>[2], token: string) => post(service, '/api/oauth/revoke', client, { token })
const userInfo = (authorization?: string, query = '') =>
  fetch(`${service.url}/api/oauth/userinfo${query}`, { headers: authorization ? { authorization } : {} })

/** A refusal of UserInfo: status, body and challenge (RFC 6750 §3). */
const refusal = (status: number, error: string, text: string, scope?: string) => [
  status,
  { error, error_description: text, ...(scope && { scope }) },
  `Bearer realm="${service.url}", error="${error}", error_description="${text}"${scope ? `, scope="${scope}"` : ''}`,
]
const refusalOf = async (answer: Promise<Response>) => {
  const response = await answer
  return [response.status, await response.json(), response.headers.get('www-authenticate')]
}

describe('introspection', () => {
  test('tells a confidential client of its own tokens', async () => {
    const { person, client, tokens } = await connected()
    const { status, body } = await introspect(client, tokens.access_token)
    const member = { active: true, client_id: client.clientId, sub: person.id, iss: service.url, scope: tokens.scope, team: null }
    expect([status, body]).toEqual([200, { ...member, exp: expect.any(Number), iat: expect.any(Number), token_type: 'Bearer' }])
    expect((await introspect(client, tokens.refresh_token)).body).toMatchObject(member)
  })

  test('tells nobody of another’s, of what is unknown, revoked, spent, or of a person disabled', async () => {
    const { person, client, tokens } = await connected()
    const inactive = { active: false }
    expect((await introspect(await createClient(database), tokens.access_token)).body).toEqual(inactive)
    expect((await introspect(client, 'A'.repeat(43))).body).toEqual(inactive)
    const { body: next } = await refresh(service, client, tokens.refresh_token)
    expect((await introspect(client, tokens.refresh_token)).body).toEqual(inactive)
    await database.prisma.user.update({ where: { id: person.id }, data: { disabledAt: new Date() } })
    expect((await introspect(client, next.access_token)).body).toEqual(inactive)
  })

  test('tells a public client nothing', async () => {
    const { client, tokens } = await connected({ confidential: false })
    expect((await introspect(client, tokens.access_token)).body).toEqual({ active: false })
  })

  test('refuses who does not authenticate', async () => {
    const { tokens } = await connected()
    const { status, body } = await introspect({ clientId: '', secret: '' }, tokens.access_token)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })
})

describe('revocation', () => {
  test('of an access token ends that one alone, of a refresh token the whole grant', async () => {
    const { client, tokens } = await connected()
    expect(await revoke(client, tokens.access_token)).toMatchObject({ status: 200, body: {} })
    expect((await request(service, 'GET', '/api/v1/user', { token: tokens.access_token })).status).toBe(401)
    const { status, body } = await refresh(service, client, tokens.refresh_token)
    expect(status).toBe(200)
    expect((await revoke(client, body.refresh_token)).status).toBe(200)
    expect((await request(service, 'GET', '/api/v1/user', { token: body.access_token })).status).toBe(401)
  })

  test('of what is not the client’s own, or nothing, changes nothing and answers alike', async () => {
    const { client, tokens } = await connected()
    const other = await createClient(database)
    for (const token of [tokens.access_token, tokens.refresh_token, 'A'.repeat(43)]) {
      expect(await revoke(other, token)).toMatchObject({ status: 200, body: {} })
    }
    expect((await introspect(client, tokens.access_token)).body.active).toBe(true)
  })
})

describe('UserInfo', () => {
  test('tells what the granted scopes open', async () => {
    const { person, tokens } = await connected()
    const response = await userInfo(`Bearer ${tokens.access_token}`)
    expect([response.status, await response.json()]).toEqual([200, { sub: person.id }])
  })

  test('refuses a token in the query, an unknown one, one without openid, and none', async () => {
    const { tokens } = await connected()
    const client = await createClient(database)
    const person = await createPerson(database)
    const authorized = await authorize(service, client, person, { changes: { scope: 'teams' } })
    const { body: without } = await exchangeCode(service, client, authorized)
    const refusals = [
      await refusalOf(userInfo(undefined, `?access_token=${tokens.access_token}`)),
      await refusalOf(userInfo(`Bearer ${'A'.repeat(43)}`)),
      await refusalOf(userInfo(`Bearer ${without.access_token}`)),
      await refusalOf(userInfo()),
    ]
    expect(refusals).toEqual([
      refusal(400, 'invalid_request', 'access tokens must not be provided via query parameter'),
      refusal(401, 'invalid_token', 'invalid token provided'),
      refusal(403, 'insufficient_scope', 'access token missing openid scope', 'openid'),
      [
        401,
        { error: 'invalid_token', error_description: 'no access token provided' },
        // Without a credential no error (RFC 6750 §3), but both schemes that are taken.
        `Bearer realm="${service.url}", DPoP realm="${service.url}", algs="ES256 ES384 Ed25519 EdDSA PS256 RS256"`,
      ],
    ])
  })

  test.each(['pat_0123456789ABCDEFGHIJKLMNOPQRST1fukiD', 'x', 'a b', '€'])('refuses %s as a token', async (token) => {
    expect(await refusalOf(userInfo(`Bearer ${encodeURIComponent(token)}`))).toEqual(
      refusal(401, 'invalid_token', 'invalid token provided'),
    )
  })
})

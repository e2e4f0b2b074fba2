import { describe, expect, test } from 'vitest'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { deviceGrant } from '../../../schema/oauth/clients/client-rules.ts'
import { createTeam } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { createKey, createProof } from '../../support/oauth/dpop.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import { createClient, post } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// A client of a team gets access tokens of its own, which act as team tokens do (RFC 6749 §4.4).

const service = useService()
const { database } = service

/** Creates a team with a client. */
async function createMachine(options: Parameters<typeof createTeamClient>[2] = {}) {
  const team = await createTeam(database)
  return { team, client: await createTeamClient(database, team, options) }
}
const viewerOf = async (token: string, headers: Record<string, string> = {}) =>
  (await request(service, 'GET', '/api/v1/user', Object.keys(headers).length > 0 ? { headers } : { token })).body

describe('an access token by client credentials', () => {
  test('belongs to the team of the client, has 44 characters and works for 15 minutes, without a refresh token', async () => {
    const { team, client } = await createMachine()
    const { status, headers, body } = await requestMachineToken(service, client)
    const scope = tokenScopes.join(' ')
    const access_token = expect.stringMatching(/^[\w-]{44}$/)
    expect([status, body]).toEqual([200, { access_token, expires_in: 900, token_type: 'Bearer', scope, team: team.slug }])
    expect(headers.get('cache-control')).toBe('no-store')
    const viewer = await viewerOf(body.access_token)
    expect(viewer).toMatchObject({ kind: 'client', id: null, name: null, email: null, client_id: client.clientId, team: team.slug })
    expect([viewer.teams, viewer.scopes]).toEqual([[team.slug], tokenScopes])
    service.statements.length = 0
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token: body.access_token })).status).toBe(200)
    expect(service.statements).toHaveLength(1)
    const { prisma } = database
    await expect.poll(async () => (await prisma.oAuthClient.findUnique({ where: { id: client.id } }))?.lastUsedAt).not.toBeNull()
    service.clock.advance(15 * 60_000)
    expect((await viewerOf(body.access_token)).code).toBe('unauthenticated')
  })

  test('has the scopes that were requested, without those that the client no longer has', async () => {
    const { client } = await createMachine({ optionalScopes: ['teams', 'acct:team:read', 'acct:team:members:read', 'openid', 'profile'] })
    expect((await requestMachineToken(service, client)).body.scope).toBe('teams acct:team:read acct:team:members:read')
    const { body } = await requestMachineToken(service, client, { scope: 'acct:team:members:read  teams openid unknown' })
    expect(body.scope.split(' ').toSorted()).toEqual(['acct:team:members:read', 'teams'])
    await database.prisma.oAuthClient.update({ where: { id: client.id }, data: { optionalScopes: ['teams', 'acct:team:read'] } })
    expect((await viewerOf(body.access_token)).scopes).toEqual(['teams'])
  })

  test.each(['openid', 'openid unknown', 'offline_access', 'acct:staff:read', 'unknown', 'acct:team:audit:read', 'acct:team:read teams'])(
    'is refused with the scope %s, which the client cannot have for itself',
    async (scope) => {
      const { client } = await createMachine({ optionalScopes: ['acct:team:read', 'openid', 'offline_access'] })
      const { status, body } = await requestMachineToken(service, client, { scope })
      expect([status, body.error]).toEqual([400, 'invalid_scope'])
    },
  )

  test.each([
    ['a client of the operator', { ownerTeamId: null }, 'invalid_grant'],
    ['a client without the grant', { grantTypes: [deviceGrant] }, 'unauthorized_client'],
    ['a public client', { confidential: false }, 'invalid_grant'],
    ['a disabled client', { disabledAt: new Date() }, 'invalid_client'],
  ])('is refused to %s', async (_, options, error) => {
    const { client } = await createMachine(options)
    expect((await requestMachineToken(service, client)).body.error).toBe(error)
    expect(await database.prisma.oidcModel.count({ where: { payload: { path: ['clientId'], equals: client.clientId } } })).toBe(0)
  })

  test('is bound to a key if the client proves one, and works with proofs of this key alone', async () => {
    const { client } = await createMachine()
    const key = createKey()
    // The clock of the process, not the one that tests move, dates proofs at the token endpoint.
    const target = { token: '', method: 'POST', url: `${service.url}/api/oauth/token`, now: new Date() }
    const { body } = await requestMachineToken(service, client, {}, { DPoP: await createProof(key, target, { ath: undefined }) })
    expect(body.token_type).toBe('DPoP')
    const use = { token: body.access_token, method: 'GET', url: `${service.url}/api/v1/user`, now: service.clock.now() }
    const headers = { Authorization: `DPoP ${body.access_token}`, DPoP: await createProof(key, use) }
    expect((await viewerOf('', headers)).kind).toBe('client')
    expect((await viewerOf('', headers)).code).toBe('unauthenticated')
    expect((await viewerOf(body.access_token)).code).toBe('unauthenticated')
  })

  test('is not one of a user: UserInfo refuses it, and no other grant accepts it', async () => {
    const { client } = await createMachine({ grantTypes: ['client_credentials', 'refresh_token'] })
    const { body } = await requestMachineToken(service, client)
    const { status } = await fetch(`${service.url}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${body.access_token}` } })
    expect(status).toBe(401)
    const refreshed = await post(service, '/api/oauth/token', client, { grant_type: 'refresh_token', refresh_token: body.access_token })
    expect(refreshed.body.error).toBe('invalid_grant')
  })
})

describe('introspection and revocation of such a token', () => {
  const introspect = (client: Parameters<typeof post>[2], token: string, hint?: string) =>
    post(service, '/api/oauth/introspect', client, { token, ...(hint && { token_type_hint: hint }) })

  test.each(['grant_type', 'scope'])('is refused if the request has %s twice', async (name) => {
    const { client } = await createMachine()
    const fields = new URLSearchParams({ grant_type: 'client_credentials', scope: 'acct:team:read' })
    fields.append(name, fields.get(name) ?? '')
    const { status, body } = await post(service, '/api/oauth/token', client, fields)
    expect([status, body.error, body.error_description]).toEqual([400, 'invalid_request', expect.stringContaining('twice')])
  })

  test.each([undefined, 'access_token', 'refresh_token'])(
    'describe it to its own client, with what it has now (hint: %s)',
    async (hint) => {
      const { team, client } = await createMachine({ optionalScopes: ['teams', 'acct:team:read'] })
      const { body } = await requestMachineToken(service, client)
      const times = { exp: expect.any(Number), iat: expect.any(Number) }
      const expected = { active: true, client_id: client.clientId, iss: service.url, token_type: 'Bearer', team: team.slug, ...times }
      expect((await introspect(client, body.access_token, hint)).body).toEqual({ ...expected, scope: 'teams acct:team:read' })
      const where = { id: client.id }
      await database.prisma.oAuthClient.update({ where, data: { optionalScopes: ['teams'] } })
      expect((await introspect(client, body.access_token, hint)).body).toEqual({ ...expected, scope: 'teams' })
      await database.prisma.oAuthClient.update({ where, data: { grantTypes: ['refresh_token'] } })
      expect((await introspect(client, body.access_token, hint)).body).toEqual({ active: false })
    },
  )

  test('are for its own client alone', async () => {
    const { team, client } = await createMachine()
    const { body } = await requestMachineToken(service, client)
    for (const other of [await createTeamClient(database, team), await createClient(database)]) {
      expect((await introspect(other, body.access_token)).body).toEqual({ active: false })
      expect((await post(service, '/api/oauth/revoke', other, { token: body.access_token })).status).toBe(200)
    }
    expect((await viewerOf(body.access_token)).kind).toBe('client')
    expect((await post(service, '/api/oauth/revoke', client, { token: body.access_token })).status).toBe(200)
    expect((await viewerOf(body.access_token)).code).toBe('unauthenticated')
    expect((await introspect(client, body.access_token)).body).toEqual({ active: false })
  })
})

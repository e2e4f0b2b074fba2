import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { graphql } from '../../support/http/graphql.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, join } from '../../support/data/team.ts'

const service = useService()
const { database } = service
const { prisma } = database

/** Creates an owner of two teams and an access token of a grant for the first team. */
async function grantAccess(options: Parameters<typeof createGrant>[2] = {}) {
  const { team, owner } = await createOwnedTeam(database)
  const other = await createTeam(database, { name: 'Other' })
  await join(database, other, owner, 'owner')

  const grant = await createGrant(database, owner, { team, ...options })
  return { team, other, owner, grant, token: await accessToken(database, grant) }
}

/** Sends the same query to REST and GraphQL, checks that the error codes are equal, and returns status code and error code. */
async function query(token: string, path: string, document: string) {
  const rest = await request(service, 'GET', path, { token })
  const graph = await graphql(service, token, document)
  const expected = { message: expect.any(String), code: rest.body.code, request_id: rest.headers.get('x-request-id') }
  if (rest.status !== 200) expect(rest.body).toEqual(expected)
  expect(graph.errors[0]?.extensions?.code).toBe(rest.body.code)
  return rest.status === 200 ? 200 : `${rest.status} ${rest.body.code}`
}
const queryTeams = (token: string) => query(token, '/api/v1/teams', '{ teams { slug } }')
const queryTeam = (token: string, { slug }: { slug: string }) => query(token, `/api/v1/teams/${slug}`, `{ team(slug: "${slug}") { name } }`)
const queryInvoices = (token: string, { slug }: { slug: string }) =>
  query(token, `/api/v1/teams/${slug}/invoices`, `{ team(slug: "${slug}") { invoices { total } } }`)
const queryRules = (token: string) => query(token, '/api/v1/rules/capabilities', '{ ruleCapabilities { maxRuleGroupDepth } }')
const slugsOf = async (token: string) => {
  const { body } = await request(service, 'GET', '/api/v1/teams', { token })
  return body.data.map(({ slug }: { slug: string }) => slug)
}

describe('an OAuth access token', () => {
  test('of a grant for one team gives access to that team only, through REST and GraphQL, with one SQL statement', async () => {
    const { team, other, token } = await grantAccess()
    service.statements.length = 0
    expect(await slugsOf(token)).toEqual([team.slug])
    expect(service.statements).toHaveLength(1)
    expect([await queryTeam(token, team), await queryInvoices(token, team), await queryRules(token)]).toEqual([200, 200, 200])
    expect(await queryTeam(token, other)).toBe('403 team_forbidden')
    expect(await queryTeam(token, { slug: 'no-such-team' })).toBe('403 team_forbidden')
  })

  test('of a grant without a team gives access to all teams of the user, except those removed from the grant', async () => {
    const { team, other, owner } = await grantAccess()
    const grant = await createGrant(database, owner)
    const token = await accessToken(database, grant)
    expect(await slugsOf(token)).toEqual([team.slug, other.slug].toSorted())
    await prisma.oAuthGrant.update({ where: { id: grant.id }, data: { revokedTeamIds: { push: team.id } } })
    expect(await slugsOf(token)).toEqual([other.slug])
    expect([await queryTeam(token, team), await queryTeam(token, other)]).toEqual(['403 team_forbidden', 200])
  })

  test('returns the user, the client and the grant at GET /api/v1/user and in the GraphQL viewer', async () => {
    const { team, owner, grant, token } = await grantAccess()
    const { expiresAt } = await prisma.oidcModel.findUniqueOrThrow({ where: { idHash: sha256(token) } })
    const { status, body } = await request(service, 'GET', '/api/v1/user', { token })
    const { id, name, email } = owner
    const account = { kind: 'oauth', id, name, email, client_id: grant.client.clientId, expires_at: expiresAt.toISOString() }
    expect([status, body]).toEqual([200, { ...account, team: team.slug, teams: [team.slug], scopes: grant.scopes }])
    const { data } = await graphql(service, token, '{ viewer { kind clientId team { slug } user { name email } } }')
    expect(data.viewer).toEqual({ kind: 'OAUTH', clientId: grant.client.clientId, team: { slug: team.slug }, user: { name, email } })
  })

  test.each([
    [['openid'], { name: null, email: null }, null],
    [['openid', 'profile'], { name: 'Ada', email: null }, null],
    [['openid', 'email'], { name: null, email: expect.any(String) }, null],
    [['profile', 'email'], { name: 'Ada', email: expect.any(String) }, { name: 'Ada' }],
  ] as const)('with the scopes %j discloses only the user attributes of these scopes', async (scopes, attributes, user) => {
    const { owner, token } = await grantAccess({ scopes })
    const { body } = await request(service, 'GET', '/api/v1/user', { token })
    expect(body).toMatchObject({ ...attributes, id: owner.id, teams: null, scopes })
    const { data } = await graphql(service, token, '{ viewer { id: userId name email user { name } } }')
    expect(data.viewer).toEqual({ id: owner.id, ...attributes, user })
  })

  test('has the scopes that token, chain and client have in common', async () => {
    const { grant } = await grantAccess({ scopes: ['openid', 'teams', 'acct:team:read', 'acct:team:apps:read'] })
    const token = await accessToken(database, grant, {
      scopes: ['openid', 'teams', 'acct:team:apps:read', 'acct:team:invoices:read', 'nope'],
    })
    await prisma.tokenChain.updateMany({ where: { grantId: grant.id }, data: { scopes: ['openid', 'teams', 'acct:team:read'] } })
    const scopesOf = async () => (await request(service, 'GET', '/api/v1/user', { token })).body.scopes
    expect(await scopesOf()).toEqual(['openid', 'teams'])
    await prisma.oAuthClient.update({ where: { id: grant.client.id }, data: { optionalScopes: ['acct:team:read'] } })
    expect(await scopesOf()).toEqual(['openid'])
    expect(await queryTeams(token)).toBe('403 insufficient_scope')
  })

  test('is rejected from the moment it expires', async () => {
    const { grant } = await grantAccess()
    const token = await accessToken(database, grant, { expiresAt: new Date(service.clock.now().getTime() + 60_000) })
    expect(await queryTeams(token)).toBe(200)
    service.clock.advance(60_000)
    expect(await queryTeams(token)).toBe('401 unauthenticated')
  })

  test('updates the last use of its grant, rounded down to the minute', async () => {
    const { grant, token } = await grantAccess()
    expect(await queryTeams(token)).toBe(200)
    const lastUsedAt = async () => (await prisma.oAuthGrant.findUniqueOrThrow({ where: { id: grant.id } })).lastUsedAt
    await expect.poll(lastUsedAt).not.toBeNull()
    expect((await lastUsedAt())?.getTime()).toBe(Math.floor(service.clock.now().getTime() / 60_000) * 60_000)
  })

  test.each(['', '=', '--', '.'])('of the wrong length (suffix %j) is rejected without an SQL statement', async (suffix) => {
    const { token } = await grantAccess()
    service.statements.length = 0
    const value = suffix === '' ? token.slice(1) : token + suffix
    expect((await request(service, 'GET', '/api/v1/teams', { token: value })).status).toBe(401)
    expect(service.statements).toEqual([])
  })

  test('is accepted in the Authorization header field only', async () => {
    const { token } = await grantAccess()
    expect((await request(service, 'GET', `/api/v1/teams?access_token=${token}`)).status).toBe(401)
    const body = new URLSearchParams({ access_token: token, query: '{ viewer { id: userId } }' })
    expect((await fetch(`${service.url}/graphql`, { method: 'POST', body })).status).toBe(401)
  })
})

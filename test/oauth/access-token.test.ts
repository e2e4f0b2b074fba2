import { describe, expect, test } from 'vitest'
import { sha256 } from '../../schema/secret.ts'
import { graphql } from '../support/graphql.ts'
import { accessToken, createGrant } from '../support/oauth-rows.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join } from '../support/team.ts'

const service = await startService()
const { database } = service
const { prisma } = database

/** An owner of a team, in another one too, and a client with a grant for the first. */
async function connected(options: Parameters<typeof createGrant>[2] = {}) {
  const { team, owner } = await createOwnedTeam(database)
  const other = await createTeam(database, { name: 'Other' })
  await join(database, other, owner, 'owner')
  // So that the person may lose the role, or go.
  for (const each of [team, other]) await join(database, each, await createUser(database), 'owner')
  const grant = await createGrant(database, owner, { team, ...options })
  return { team, other, owner, grant, token: await accessToken(database, grant) }
}

/** Both doors: REST's status and code, and GraphQL's code. */
async function ask(token: string, path: string, query: string) {
  const rest = await request(service, 'GET', path, { token })
  const graph = await graphql(service, token, query)
  const expected = { message: expect.any(String), code: rest.body.code, request_id: rest.headers.get('x-request-id') }
  if (rest.status !== 200) expect(rest.body).toEqual(expected)
  expect(graph.errors[0]?.extensions?.code).toBe(rest.body.code)
  return rest.status === 200 ? 200 : `${rest.status} ${rest.body.code}`
}
const askTeams = (token: string) => ask(token, '/api/v1/teams', '{ teams { slug } }')
const askTeam = (token: string, { slug }: { slug: string }) => ask(token, `/api/v1/teams/${slug}`, `{ team(slug: "${slug}") { name } }`)
const askInvoices = (token: string, { slug }: { slug: string }) =>
  ask(token, `/api/v1/teams/${slug}/invoices`, `{ team(slug: "${slug}") { invoices { total } } }`)
const askRules = (token: string) => ask(token, '/api/v1/rules/capabilities', '{ ruleCapabilities { maxRuleGroupDepth } }')
const slugsOf = async (token: string) => {
  const { body } = await request(service, 'GET', '/api/v1/teams', { token })
  return body.data.map(({ slug }: { slug: string }) => slug)
}

describe('an access token', () => {
  test('of a grant for a team opens that team, at both doors, by one statement', async () => {
    const { team, other, token } = await connected()
    service.statements.length = 0
    expect(await slugsOf(token)).toEqual([team.slug])
    expect(service.statements).toHaveLength(1)
    expect([await askTeam(token, team), await askInvoices(token, team), await askRules(token)]).toEqual([200, 200, 200])
    expect(await askTeam(token, other)).toBe('403 team_forbidden')
    expect(await askTeam(token, { slug: 'no-such-team' })).toBe('403 team_forbidden')
  })

  test('of a grant for no team in particular opens all of the person’s, but for those that were cut', async () => {
    const { team, other, owner } = await connected()
    const grant = await createGrant(database, owner)
    const token = await accessToken(database, grant)
    expect(await slugsOf(token)).toEqual([team.slug, other.slug].toSorted())
    await prisma.oAuthGrant.update({ where: { id: grant.id }, data: { cutTeamIds: { push: team.id } } })
    expect(await slugsOf(token)).toEqual([other.slug])
    expect([await askTeam(token, team), await askTeam(token, other)]).toEqual(['403 team_forbidden', 200])
  })

  test('tells who it stands for, as account information does', async () => {
    const { team, owner, grant, token } = await connected()
    const { expiresAt } = await prisma.oAuthArtifact.findUniqueOrThrow({ where: { idHash: sha256(token) } })
    const { status, body } = await request(service, 'GET', '/api/v1/user', { token })
    const { id, name, email } = owner
    const mine = { kind: 'oauth', id, name, email, client_id: grant.client.clientId, expires_at: expiresAt.toISOString() }
    expect([status, body]).toEqual([200, { ...mine, team: team.slug, teams: [team.slug], scopes: grant.scopes }])
    const { data } = await graphql(service, token, '{ viewer { kind clientId team { slug } user { name email } } }')
    expect(data.viewer).toEqual({ kind: 'OAUTH', clientId: grant.client.clientId, team: { slug: team.slug }, user: { name, email } })
  })

  test.each([
    [['openid'], { name: null, email: null }, null],
    [['openid', 'profile'], { name: 'Ada', email: null }, null],
    [['openid', 'email'], { name: null, email: expect.any(String) }, null],
    [['profile', 'email'], { name: 'Ada', email: expect.any(String) }, { name: 'Ada' }],
  ] as const)('with %j tells of the person no more than that', async (scopes, told, user) => {
    const { owner, token } = await connected({ scopes })
    const { body } = await request(service, 'GET', '/api/v1/user', { token })
    expect(body).toMatchObject({ ...told, id: owner.id, teams: null, scopes })
    const { data } = await graphql(service, token, '{ viewer { id name email user { name } } }')
    expect(data.viewer).toEqual({ id: owner.id, ...told, user })
  })

  test('carries what token, grant and client all have, less what was declined', async () => {
    const { grant } = await connected({
      scopes: ['openid', 'teams', 'acct:team:read', 'acct:team:apps:read'],
      declinedScopes: ['acct:team:apps:read'],
    })
    const token = await accessToken(database, grant, {
      scopes: ['openid', 'teams', 'acct:team:apps:read', 'acct:team:invoices:read', 'nope'],
    })
    const scopesOf = async () => (await request(service, 'GET', '/api/v1/user', { token })).body.scopes
    expect(await scopesOf()).toEqual(['openid', 'teams'])
    await prisma.oAuthClient.update({ where: { id: grant.client.id }, data: { optionalScopes: ['acct:team:read'] } })
    expect(await scopesOf()).toEqual(['openid'])
    expect(await askTeams(token)).toBe('403 insufficient_scope')
  })

  test('opens until it expires, by the clock of the service', async () => {
    const { grant } = await connected()
    const token = await accessToken(database, grant, { expiresAt: new Date(service.clock.now().getTime() + 60_000) })
    expect(await askTeams(token)).toBe(200)
    service.clock.advance(60_000)
    expect(await askTeams(token)).toBe('401 unauthenticated')
  })

  test('notes the use of its grant, to the minute', async () => {
    const { grant, token } = await connected()
    expect(await askTeams(token)).toBe(200)
    const lastUsedAt = async () => (await prisma.oAuthGrant.findUniqueOrThrow({ where: { id: grant.id } })).lastUsedAt
    await expect.poll(lastUsedAt, { timeout: 5000 }).not.toBeNull()
    expect((await lastUsedAt())?.getTime()).toBe(Math.floor(service.clock.now().getTime() / 60_000) * 60_000)
  })

  test.each(['', '=', '-', '.'])('with %j at its end is none, and nobody is asked', async (end) => {
    const { token } = await connected()
    service.statements.length = 0
    const value = end === '' ? token.slice(1) : token + end
    expect((await request(service, 'GET', '/api/v1/teams', { token: value })).status).toBe(401)
    expect(service.statements).toEqual([])
  })

  test('is read from the header field alone', async () => {
    const { token } = await connected()
    expect((await request(service, 'GET', `/api/v1/teams?access_token=${token}`)).status).toBe(401)
    const body = new URLSearchParams({ access_token: token, query: '{ viewer { id } }' })
    expect((await fetch(`${service.url}/graphql`, { method: 'POST', body })).status).toBe(401)
  })
})

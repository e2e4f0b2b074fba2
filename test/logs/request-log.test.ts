import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../prisma/generated/client/client.ts'
import { Browser } from '../support/browser/browser.ts'
import { createOwnedTeam, teamToken } from '../support/data/team.ts'
import { request } from '../support/http/request.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, post } from '../support/oauth/oauth.ts'
import { useService } from '../support/service/service.ts'
import { waitFor } from '../support/service/wait.ts'

const service = useService()
const { database } = service
let team: Team
let owner: User
let token: string
beforeAll(async () => {
  ;({ team, owner, token } = await createOwnedTeam(database))
})

/** The log line of a request, without the members that differ each time. */
async function lineOf(send: (headers: Record<string, string>) => Promise<unknown>): Promise<object> {
  const requestId = crypto.randomUUID()
  await send({ 'X-Request-Id': requestId })
  const line = await waitFor(() => service.requests.find((each) => each.requestId === requestId))
  const { level, time, msg, requestId: _, milliseconds, ...others } = { time: '', milliseconds: NaN, ...line }
  expect([level, msg, Number.isInteger(milliseconds), Number.isNaN(Date.parse(time))]).toEqual([30, 'request completed', true, false])
  return others
}

const get =
  (path: string, options: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) =>
  (headers: Record<string, string>) =>
    fetch(service.url + path, { redirect: 'manual', ...options, headers: { ...headers, ...options.headers } })

describe('the log line of a request', () => {
  test('names the caller, the credential and the template of the route, and counts the statements', async () => {
    const { id } = await database.prisma.accessToken.findFirstOrThrow({ where: { userId: owner.id } })
    const line = await lineOf((headers) => request(service, 'GET', `/api/v1/teams/${team.slug}/members?page=1`, { token, headers }))
    const caller = { principal: 'user', credential: 'personal_token', credentialId: id }
    expect(line).toEqual({ ...caller, method: 'GET', route: '/api/v1/teams/{teamSlug}/members', status: 200, statements: 2 })
  })

  test('names a team token, also when the request is refused', async () => {
    const value = await teamToken(database, team, { scopes: [] })
    const { id } = await database.prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    expect(await lineOf((headers) => request(service, 'GET', `/api/v1/teams/${team.slug}/members`, { token: value, headers }))).toEqual({
      principal: 'team',
      credential: 'team_token',
      credentialId: id,
      method: 'GET',
      route: '/api/v1/teams/{teamSlug}/members',
      status: 403,
      statements: 1,
    })
  })

  test('has no principal if the credential is unknown', async () => {
    const headers = { Authorization: 'Bearer unknown' }
    const line = { method: 'GET', route: '/api/v1/user', status: 401, statements: 0 }
    expect(await lineOf(get('/api/v1/user', { headers }))).toEqual(line)
  })

  test('names the session of a GraphQL request, and counts statements in transactions', async () => {
    const client = await createClient(database)
    const { browser } = await authorize(service, client, await createPerson(database))
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const session = await database.prisma.session.findFirstOrThrow()
    const query = 'mutation { updateProfile(input: { name: "Grace" }) { errors { __typename } } }'
    const headers = { Cookie: cookie, Origin: service.url, 'Content-Type': 'application/json' }
    const line = await lineOf(get('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) }))
    expect(line).toEqual({
      principal: 'user',
      credential: 'session',
      credentialId: session.id,
      method: 'POST',
      route: '/graphql',
      status: 200,
      statements: expect.any(Number),
    })
    expect(line).not.toHaveProperty('statements', 0)
  })

  test('names an authenticated client of the token endpoint, and the grant of a token at UserInfo', async () => {
    const client = await createClient(database)
    const authorization = await authorize(service, client, await createPerson(database))
    const { body } = await exchangeCode(service, client, authorization)
    const lines = service.requests.filter((line) => JSON.stringify(line).includes('/api/oauth/token'))
    expect(lines.at(-1)).toMatchObject({ principal: 'client', credential: 'client_authentication', credentialId: client.clientId })
    const grant = await database.prisma.oAuthGrant.findFirstOrThrow({ where: { client: { clientId: client.clientId } } })
    const caller = { principal: 'user', credential: 'oauth', credentialId: grant.id, route: '/api/oauth/userinfo' }
    const headers = { Authorization: `Bearer ${body.access_token}` }
    expect(await lineOf(get('/api/oauth/userinfo', { headers }))).toMatchObject(caller)
    expect(await lineOf(get('/api/oauth/userinfo?a=b', { headers }))).toMatchObject(caller)
    await post(service, '/api/oauth/token', { ...client, secret: 'a wrong secret' }, { grant_type: 'refresh_token' })
    expect(service.requests.at(-1)).not.toHaveProperty('principal')
  })

  const secret = 'qT0S8fJ1h3Yk-_mXo5c7w9ZbNdLrVuGpEiAyHsKxQ42'
  test.each([
    ['/links/SECRET', '/links/{secret}'],
    ['/invitations/SECRET?next=%2F', '/invitations/{secret}'],
    ['/links/SECRET/further', null],
    ['/login/oauth/interaction/SECRET', '/login/oauth/interaction/{uid}'],
    ['/login/oauth/authorize/SECRET', '/login/oauth/authorize/{uid}'],
    ['/login/device/SECRET', '/login/device/{uid}'],
    ['/API/v1/teams/SECRET', '/api/v1/teams/{teamSlug}'],
    ['/api/v1/SECRET', null],
    ['/SECRET', null],
    ['/%FF', null],
  ])('has no value of the path %s', async (path, route) => {
    expect(await lineOf(get(path.replace('SECRET', secret)))).toMatchObject({ method: 'GET', route })
  })

  test('has the template of the route for methods that the route does not allow', async () => {
    const line = { route: '/login/oauth/interaction/{uid}/consent', status: 405 }
    expect(await lineOf(get('/login/oauth/interaction/x/consent'))).toMatchObject(line)
  })
})

test('the pages of an interaction are logged by their template', async () => {
  const client = await createClient(database)
  await new Browser(service.url).open(authorizationUrl(service, client).url)
  expect(service.requests).toContainEqual(expect.objectContaining({ route: '/login/oauth/interaction/{uid}', status: 303 }))
})

test('a line within a request has its id', async () => {
  await database.prisma.$executeRaw`ALTER TABLE connected_apps RENAME TO renamed`
  const requestId = crypto.randomUUID()
  await request(service, 'GET', `/api/v1/teams/${team.slug}/apps`, { token, headers: { 'X-Request-Id': requestId } })
  await database.prisma.$executeRaw`ALTER TABLE renamed RENAME TO connected_apps`
  expect(service.logged.at(-1)).toMatchObject({ msg: 'unexpected error', requestId })
})

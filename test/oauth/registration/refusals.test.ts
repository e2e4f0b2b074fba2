import { beforeAll, describe, expect, test } from 'vitest'
import { createInitialAccess, publicMetadata, registerClient } from '../../support/agents/initial-access.ts'
import { createOwnedTeam, createTeam, teamToken } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { clientToken } from '../../support/oauth/clients/machines.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { startService, useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const path = '/api/oauth/register'

let owned: OwnedTeam
let valid: string
beforeAll(async () => {
  owned = await createOwnedTeam(database)
  valid = (await createInitialAccess(database, owned.team)).value
})

const countClients = () => prisma.oAuthClient.count({ where: { source: 'registration' } })

describe('a credential that is not enough:', () => {
  test.each<[what: string, create: () => Promise<string | undefined> | string | undefined]>([
    ['none', () => undefined],
    ['a personal token of an owner', () => owned.token],
    ['a team token', () => teamToken(database, owned.team)],
    ['an access token of a client for an owner', async () => accessToken(database, await createGrant(database, owned.owner))],
    ['an access token of a client of the team', () => clientToken(database, owned.team)],
    ['an unknown token', () => `${valid.slice(0, 4)}${'0'.repeat(36)}`],
    ['a token with a wrong checksum', () => valid.slice(0, -1) + (valid.endsWith('0') ? '1' : '0')],
    ['a token with another prefix', () => `tat_${valid.slice(4)}`],
    [
      'an expired token',
      async () => {
        const { id, value } = await createInitialAccess(database, owned.team)
        await prisma.initialAccessToken.update({ where: { id }, data: { expiresAt: clock.now() } })
        return value
      },
    ],
    [
      'a deleted token',
      async () => {
        const { id, value } = await createInitialAccess(database, owned.team)
        await prisma.initialAccessToken.delete({ where: { id } })
        return value
      },
    ],
    [
      'a token of a deleted team',
      async () => {
        const team = await createTeam(database, { deletedAt: clock.now() })
        return (await createInitialAccess(database, team)).value
      },
    ],
  ])('%s', async (_, create) => {
    const token = await create()
    const before = await countClients()
    const { status, body, headers } = await registerClient(service, token)
    expect([status, body]).toEqual([
      401,
      { error: 'invalid_token', error_description: 'the initial access token is missing, unknown or expired' },
    ])
    const suffix = token === undefined ? '' : ', error="invalid_token"'
    expect(headers.get('www-authenticate')).toBe(`Bearer realm="${service.url}"${suffix}`)
    expect(await countClients()).toBe(before)
  })

  test.each(['Basic', 'DPoP'])('a valid token with the scheme %s', async (scheme) => {
    const headers = { authorization: `${scheme} ${valid}`, 'content-type': 'application/json' }
    const response = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(publicMetadata) })
    expect(response.status).toBe(401)
  })

  test('an initial access token gives no access to the API', async () => {
    for (const url of ['/api/v1/user', '/graphql', '/mcp']) {
      const init = {
        method: url.startsWith('/api') ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${valid}`, 'content-type': 'application/json' },
      }
      const { status } = await fetch(service.url + url, {
        ...init,
        ...(init.method === 'POST' && { body: '{"query":"{ viewer { kind } }"}' }),
      })
      expect([url, status]).toEqual([url, 401])
    }
  })
})

describe('a request that is refused:', () => {
  test.each<[what: string, status: number, type: string, body: string]>([
    ['no JSON', 400, 'application/json', '{'],
    ['a list', 400, 'application/json', '[]'],
    ['null', 400, 'application/json', 'null'],
    ['a form', 415, 'application/x-www-form-urlencoded', 'client_name=a'],
    ['more than 100 KiB', 413, 'application/json', JSON.stringify({ client_name: 'x'.repeat(103_000) })],
  ])('a body with %s', async (_, status, type, body) => {
    const headers = { authorization: `Bearer ${valid}`, 'content-type': type }
    const response = await fetch(service.url + path, { method: 'POST', headers, body })
    expect([response.status, (await response.json()).error]).toEqual([status, 'invalid_client_metadata'])
  })
})

test('other methods are refused, and pages of any origin can send requests without cookies', async () => {
  const get = await fetch(service.url + path)
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
  const preflight = await fetch(service.url + path, { method: 'OPTIONS', headers })
  expect(preflight.status).toBe(204)
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'Authorization, Content-Type',
  })
  const refused = await registerClient(service, undefined)
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  expect(refused.headers.get('access-control-allow-credentials')).toBeNull()
})

test('requests are limited for each token', async () => {
  const limited = await startService({ rateLimitApi: 2 })
  const { team } = await createOwnedTeam(limited.database)
  const { value } = await createInitialAccess(limited.database, team)
  for (const name of ['One', 'Two'])
    expect((await registerClient(limited, value, { ...publicMetadata, client_name: name })).status).toBe(201)
  const { status, body, headers } = await registerClient(limited, value)
  expect([status, body.error, Number(headers.get('retry-after')) > 0]).toEqual([429, 'temporarily_unavailable', true])
})

test('where teams cannot register clients, the endpoint refuses and discovery does not list it', async () => {
  const closed = await startService({ clientRegistration: 'closed' })
  const { team } = await createOwnedTeam(closed.database)
  const { value } = await createInitialAccess(closed.database, team)
  const { status, body } = await registerClient(closed, value)
  expect([status, body.error]).toEqual([403, 'access_denied'])
  for (const [each, endpoint] of [
    [closed, undefined],
    [service, service.url + path],
  ] as const)
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const document = await (await fetch(`${each.url}/.well-known/${name}`)).json()
      expect(document.registration_endpoint).toBe(endpoint)
    }
})

test('an internal error is server_error without details', async () => {
  await database.pool.query('ALTER TABLE initial_access_tokens RENAME TO away')
  try {
    const { status, body } = await registerClient(service, valid)
    expect([status, body]).toEqual([500, { error: 'server_error', error_description: 'the service failed' }])
  } finally {
    await database.pool.query('ALTER TABLE away RENAME TO initial_access_tokens')
  }
})

import { beforeAll, describe, expect, test } from 'vitest'
import { oauthScopes, personalTokenScopes, tokenScopes } from '../../schema/core/scopes.ts'
import type { Scope } from '../../schema/core/scopes.ts'
import { createDirectory } from '../support/scim/directory.ts'
import { executeAs, sessionOf } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const scope: Scope = 'acct:team:scim'

let directory: Awaited<ReturnType<typeof createDirectory>>
beforeAll(async () => {
  directory = await createDirectory(service)
})

describe('the scope of directories', () => {
  test('is no right of a directory at the API', async () => {
    const response = await fetch(`${service.url}/api/v1/teams/${directory.team.slug}/members`, {
      headers: { Authorization: `Bearer ${directory.scimToken}` },
    })
    expect(response.status).toBe(403)
  })

  test('is one of team tokens alone', () => {
    for (const list of [tokenScopes, oauthScopes, personalTokenScopes('admin')] as const) expect(list).not.toContain(scope)
  })

  test('is given to a team token, and not to a personal one', async () => {
    const session = await sessionOf(service, directory.owner)
    const team = `mutation ($team: String!) { createTeamToken(input: { team: $team, name: "d", scopes: ["${scope}"] }) { token { scopes } } }`
    expect((await executeAs(service, session, team, { team: directory.team.slug })).data.createTeamToken.token.scopes).toEqual([scope])
    const personal = `mutation { createPersonalToken(input: { name: "d", scopes: ["${scope}"], expiresAt: "${new Date(service.clock.now().getTime() + 86_400_000).toISOString()}" }) { token { scopes } } }`
    expect((await executeAs(service, session, personal)).refusal?.code).toBe('validation_failed')
  })

  test('is not among those that discovery documents list', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-protected-resource/api'])
      expect(await (await fetch(service.url + path)).text()).not.toContain(scope)
  })
})

test('a directory gets the errors of SCIM for what there is not', async () => {
  const { send } = directory
  expect((await send('GET', '/Me')).status).toBe(501)
  expect((await send('POST', '/Bulk', {})).status).toBe(501)
  expect(await send('GET', '/Other')).toMatchObject({ status: 404, body: { status: '404' } })
  expect((await send('GET', '/Users/x')).status).toBe(404)
  const { status, headers } = await send('DELETE', '/Users')
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  expect((await send('POST', '/Users', '<x/>', { 'Content-Type': 'text/xml' })).status).toBe(415)
})

test('answers state the scope that is needed and the identifier of the request', async () => {
  const { headers } = await directory.send('GET', '/Users')
  expect(headers.get('x-request-id')).not.toBeNull()
  expect(headers.get('x-accepted-scopes')).toBe(scope)
})

describe('a rate limit of three requests per minute', () => {
  const limited = useService({ rateLimitApi: 3 })

  test('refuses the fourth request of a directory with 429, as an error of SCIM', async () => {
    const { team, scimToken, send } = await createDirectory(limited)
    for (let n = 0; n < 3; n++) expect((await send('GET', '/Users')).status).toBe(200)
    const { status, headers, body } = await send('POST', '/Groups', { displayName: 'G' })
    expect([status, body]).toEqual([
      429,
      { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '429', detail: 'Too Many Attempts.' },
    ])
    expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect([headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([`"api";r=0;t=${seconds}`, '"api";q=3;w=60'])
    expect(await limited.database.prisma.scimGroup.count({ where: { teamId: team.id } })).toBe(0)
    // The limit is that of the token at all interfaces.
    const rest = await fetch(`${limited.url}/api/v1/teams`, { headers: { Authorization: `Bearer ${scimToken}` } })
    expect(rest.status).toBe(429)
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { personalTokenScopes, scopes, oauthScopes, tokenScopes } from '../../schema/core/scopes.ts'
import type { Scope } from '../../schema/core/scopes.ts'
import { personalToken, teamToken } from '../support/data/team.ts'
import { createIdentity } from '../support/identities/identity.ts'
import { clientToken, machineToken } from '../support/oauth/clients/machines.ts'
import { createDirectory, scim } from '../support/scim/directory.ts'
import { executeAs, sessionOf } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { prisma } = service.database
const scope: Scope = 'acct:team:scim'
const everyScope = Object.keys(scopes) as Scope[]

let directory: Awaited<ReturnType<typeof createDirectory>>
beforeAll(async () => {
  directory = await createDirectory(service)
})

const requests = [
  ['GET', '/Users'],
  ['POST', '/Users'],
  ['PATCH', '/Users/x'],
  ['DELETE', '/Groups/x'],
  ['GET', '/ServiceProviderConfig'],
  ['GET', '/Schemas'],
] as const

describe('SCIM', () => {
  test.each(requests)('%s %s needs a credential', async (method, path) => {
    const { status, headers, body } = await scim(service, 'wrong', method, path)
    expect([status, body]).toEqual([401, { schemas: [expect.stringContaining(':Error')], status: '401', detail: expect.any(String) }])
    expect(headers.get('www-authenticate')).toContain('Bearer')
  })

  test('refuses every credential but a team token with the scope', async () => {
    const { team, owner } = directory
    const credentials = {
      'a team token with all other scopes': await teamToken(service.database, team, {
        scopes: everyScope.filter((each) => each !== scope),
      }),
      'a personal token with all scopes': await personalToken(service.database, owner, { scopes: everyScope }),
      'a client of the team with all scopes': await clientToken(service.database, team, { scopes: everyScope }),
      'a workload identity with all scopes': await machineToken(service.database, await createIdentity(service, team), {
        scopes: everyScope,
        expiresAt: new Date(Date.now() + 600_000),
      }),
    }
    for (const [kind, token] of Object.entries(credentials))
      for (const [method, path] of requests) {
        const { status, headers, body } = await scim(service, token, method, path)
        expect([kind, method, path, status, body.status]).toEqual([kind, method, path, 403, '403'])
        expect(headers.get('www-authenticate')).toContain(`scope="${scope}"`)
      }
  })

  test('refuses the token of a deleted team, and a revoked one', async () => {
    const { team, scimToken, send } = await createDirectory(service)
    await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { revokedAt: new Date(0) } })
    expect((await send('GET', '/Users')).status).toBe(401)
    await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { revokedAt: null } })
    expect((await send('GET', '/Users')).status).toBe(200)
    await prisma.team.update({ where: { id: team.id }, data: { deletedAt: service.clock.now() } })
    expect((await scim(service, scimToken, 'GET', '/Users')).status).toBe(401)
  })

  test('does not read a session cookie', async () => {
    const response = await fetch(`${service.url}/scim/v2/Users`, { headers: { Cookie: 'session=x' } })
    expect(response.status).toBe(401)
  })

  test('is no right of a directory at the API', async () => {
    const response = await fetch(`${service.url}/api/v1/teams/${directory.team.slug}/members`, {
      headers: { Authorization: `Bearer ${directory.scimToken}` },
    })
    expect(response.status).toBe(403)
  })
})

describe('the scope of directories', () => {
  test('is one of team tokens alone', () => {
    for (const list of [tokenScopes, oauthScopes, personalTokenScopes(true)] as const) expect(list).not.toContain(scope)
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

test('requests count towards the limit of the token, which their answers state', async () => {
  const { headers } = await directory.send('GET', '/Users')
  expect(headers.get('x-request-id')).not.toBeNull()
  expect(headers.get('x-accepted-scopes')).toBe(scope)
})

import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { tokenScopes } from '../../schema/core/scopes.ts'
import { createTokenValue } from '../../schema/tokens/token-value.ts'
import { sendRawForStatus } from '../support/http/raw.ts'
import { request } from '../support/http/request.ts'
import { resourceMetadataOf } from '../support/http/resource-metadata.ts'
import { useService } from '../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/data/team.ts'
import type { Team, User } from '../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service
const { prisma } = database
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const unauthenticated = { message: 'Unauthenticated.', code: 'unauthenticated', request_id: uuid }
const forbidden = (code: string) => ({ message: 'This action is unauthorized.', code, request_id: uuid })

/** A request to the route in a team: well-formed, or with parameters and a body that validation rejects. */
function createCall({ method, path, body }: (typeof routes)[number], slug: string, isInvalid = false) {
  const target = `/api${path.replace('{teamSlug}', slug).replace(/\{\w+\}/, '00000000-0000-4000-8000-000000000000')}`
  return {
    method: method.toUpperCase(),
    path: isInvalid ? `${target}?per_page=0&page=x` : target,
    body: body && (isInvalid ? { role: 5, email: 5, name: 5 } : {}),
  }
}

describe.each(routes.map((route) => [route.operationId, route] as const))('%s', (_, route) => {
  let team: Team
  let owner: User
  let method: string
  let path: string
  let body: object | undefined
  beforeAll(async () => {
    ;({ team, owner } = await createOwnedTeam(database))
    ;({ method, path, body } = createCall(route, team.slug))
  })
  const isTeamRoute = route.path.includes('{teamSlug}')
  const send = (token?: string) => request(service, method, path, { body, ...(token !== undefined && { token }) })

  test('returns 401 and a challenge without an error code if there is no credential', async () => {
    const { status, headers, body } = await send()
    expect([status, body]).toEqual([401, unauthenticated])
    expect(headers.get('www-authenticate')).toBe(`Bearer realm="${service.url}", ${resourceMetadataOf(service.url)}`)
    expect(headers.get('x-request-id')).toBe(body.request_id)
  })

  test('returns the same 401 for an unknown, malformed, expired or revoked credential and for a disabled user', async () => {
    const expired = await personalToken(database, owner, { expiresAt: new Date(Date.now() - 1) })
    const revoked = await teamToken(database, team)
    await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { revokedAt: new Date() } })
    const disabled = await createUser(database, { disabledAt: new Date() })
    await join(database, team, disabled, 'owner')
    const valid = await personalToken(database, owner)
    const malformed = valid.slice(0, -1) + (valid.endsWith('0') ? '1' : '0')
    for (const token of [
      createTokenValue('team'),
      createTokenValue('personal'),
      malformed,
      expired,
      revoked,
      await personalToken(database, disabled),
      'opaque',
      '',
    ]) {
      const { status, headers, body } = await send(token)
      expect([status, body]).toEqual([401, unauthenticated])
      expect(headers.get('www-authenticate')).toBe(
        `Bearer realm="${service.url}", error="invalid_token", ${resourceMetadataOf(service.url)}`,
      )
    }
    expect((await request(service, method, `${path}?access_token=${valid}`, { body })).status).toBe(401)
  })

  if (isTeamRoute)
    test('returns the same 403 team_forbidden for another team and for an unknown team, before validation', async () => {
      const outsiderToken = await personalToken(database, await createUser(database))
      const otherTeamToken = await teamToken(database, await createTeam(database))
      for (const slug of [team.slug, 'no-such-team', '%00', 'A'.repeat(300), '%F0%9F%92%A9']) {
        const { method, path, body } = createCall(route, slug, true)
        for (const token of [outsiderToken, otherTeamToken]) {
          const response = await request(service, method, path, { token, body })
          expect([response.status, response.body]).toEqual([403, forbidden('team_forbidden')])
        }
      }
    })

  const acceptedScopes = [...new Set(route.operation.requirements.flatMap(({ scopes }) => scopes))]

  if (acceptedScopes.length > 0)
    test('returns 403 insufficient_scope before validation with every scope except the accepted ones', async () => {
      const scopes = tokenScopes.filter((scope) => !acceptedScopes.includes(scope))
      const teamTokenNeedsNone = route.operation.requirements.every(({ teamTokenNeedsNoScope }) => teamTokenNeedsNoScope)
      const tokens = [
        await personalToken(database, owner, { scopes }),
        ...(teamTokenNeedsNone ? [] : [await teamToken(database, team, { scopes })]),
      ]
      const { method, path, body } = createCall(route, team.slug, true)
      for (const token of tokens) {
        const response = await request(service, method, path, { token, body })
        expect([response.status, response.body]).toEqual([403, forbidden('insufficient_scope')])
        expect(response.headers.get('www-authenticate')).toBe(
          `Bearer error="insufficient_scope", scope="${acceptedScopes.join(' ')}", ${resourceMetadataOf(service.url)}`,
        )
        expect(response.headers.get('x-accepted-scopes')).toBe(acceptedScopes.join(', '))
        expect(response.headers.get('x-granted-scopes')).toBe(scopes.join(', '))
      }
    })

  if (acceptedScopes.length > 0)
    test('accepts each one of the accepted scopes for an owner', async () => {
      for (const scope of acceptedScopes) {
        const { status } = await send(await personalToken(database, owner, { scopes: [scope] }))
        expect([200, 204, 404, 422]).toContain(status)
      }
    })

  if (route.operation.requirements.some(({ roles }) => roles))
    test('returns 403 role_required before validation for any other role', async () => {
      const allowed = new Set(route.operation.requirements.flatMap(({ roles }) => roles ?? []))
      for (const role of (['member', 'billing'] as const).filter((role) => !allowed.has(role))) {
        const user = await createUser(database)
        await join(database, team, user, role)
        const { method, path, body } = createCall(route, team.slug, true)
        const response = await request(service, method, path, { token: await personalToken(database, user), body })
        expect([response.status, response.body]).toEqual([403, forbidden('role_required')])
      }
    })

  test('returns 405 with Allow for another method, and HEAD has the status of GET', async () => {
    const token = await personalToken(database, owner)
    const { status, headers, body } = await request(service, 'DELETE', path, { token })
    expect([status, body]).toEqual([405, { message: 'Method Not Allowed.', code: 'method_not_allowed', request_id: uuid }])
    expect(headers.get('allow')).toContain(method)
    expect([headers.get('x-accepted-scopes'), headers.get('x-granted-scopes')]).toEqual([null, null])
    if (method === 'GET')
      expect(await request(service, 'HEAD', path, { token })).toMatchObject({ status: (await send(token)).status, body: null })
  })
})

describe('a request that no route matches', () => {
  test.each(['/api/v1/unknown', '/api/v1/teams/x/unknown', '/api/V1/teams', '/api', '/unknown', '/api/v1/teams/%E0%A4%A', '/%'])(
    'to %s returns 404',
    async (path) => {
      const { status, body } = await request(service, 'GET', path)
      expect([status, body]).toEqual([404, { message: 'Not Found.', code: 'not_found', request_id: uuid }])
    },
  )

  test('for another host returns 421', async () => {
    const { host } = new URL(service.url)
    for (const [target, name] of [
      ['/api/v1/teams', 'evil.example'],
      ['http://evil.example/api/v1/teams', host],
      ['http://evil.example/api/v1/teams', 'evil.example'],
    ])
      expect(await sendRawForStatus(service.url, `GET ${target} HTTP/1.1\r\nHost: ${name}\r\n\r\n`)).toBe(421)
  })
})

import { describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { tokenScopes } from '../../schema/scopes.ts'
import { createTokenValue } from '../../schema/secret.ts'
import { rawStatus } from '../support/raw.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/team.ts'

const service = await startService()
const { database } = service
const { prisma } = database
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const unauthenticated = { message: 'Unauthenticated.', code: 'unauthenticated', request_id: uuid }
const forbidden = (code: string) => ({ message: 'This action is unauthorized.', code, request_id: uuid })

/** A path of the route in a team, and a body that would be accepted; with rubbish where validation would refuse. */
function callOf({ method, path, body }: (typeof routes)[number], slug: string, rubbish = false) {
  const target = `/api${path.replace('{teamSlug}', slug).replace(/\{\w+\}/, '00000000-0000-4000-8000-000000000000')}`
  return {
    method: method.toUpperCase(),
    path: rubbish ? `${target}?per_page=0&page=x` : target,
    body: body && (rubbish ? { role: 5, email: 5, name: 5 } : {}),
  }
}

describe.each(routes.map((route) => [route.operationId, route] as const))('%s', async (_, route) => {
  const { team, owner } = await createOwnedTeam(database)
  const { method, path, body } = callOf(route, team.slug)
  const ofTeam = route.path.includes('{teamSlug}')
  const ask = (token?: string) => request(service, method, path, { body, ...(token !== undefined && { token }) })

  test('without a credential is 401 with a plain challenge', async () => {
    const { status, headers, body } = await ask()
    expect([status, body]).toEqual([401, unauthenticated])
    expect(headers.get('www-authenticate')).toBe(`Bearer realm="${service.url}"`)
    expect(headers.get('x-request-id')).toBe(body.request_id)
  })

  test('with an unknown, misspelt, expired or revoked one, or a disabled person’s, is the same 401', async () => {
    const expired = await personalToken(database, owner, { expiresAt: new Date(Date.now() - 1) })
    const revoked = await teamToken(database, team)
    await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { revokedAt: new Date() } })
    const disabled = await createUser(database, { disabledAt: new Date() })
    await join(database, team, disabled, 'owner')
    const valid = await personalToken(database, owner)
    const misspelt = valid.slice(0, -1) + (valid.endsWith('0') ? '1' : '0')
    for (const token of [
      createTokenValue('team'),
      createTokenValue('personal'),
      misspelt,
      expired,
      revoked,
      await personalToken(database, disabled),
      'opaque',
      '',
    ]) {
      const { status, headers, body } = await ask(token)
      expect([status, body]).toEqual([401, unauthenticated])
      expect(headers.get('www-authenticate')).toBe(`Bearer realm="${service.url}", error="invalid_token"`)
    }
    expect((await request(service, method, `${path}?access_token=${valid}`, { body })).status).toBe(401)
  })

  if (ofTeam)
    test('for a foreign and for an unknown team is one and the same 403, whatever else is wrong', async () => {
      const stranger = await personalToken(database, await createUser(database))
      const otherTeam = await teamToken(database, await createTeam(database))
      for (const slug of [team.slug, 'no-such-team', '%00', 'A'.repeat(300), '%F0%9F%92%A9']) {
        const { method, path, body } = callOf(route, slug, true)
        for (const token of [stranger, otherTeam]) {
          const answer = await request(service, method, path, { token, body })
          expect([answer.status, answer.body]).toEqual([403, forbidden('team_forbidden')])
        }
      }
    })

  const needed = [...new Set(route.operation.requirements.flatMap(({ scopes }) => scopes))]

  if (needed.length > 0)
    test('with every scope but the needed ones is 403, before validation', async () => {
      const scopes = tokenScopes.filter((scope) => !needed.includes(scope))
      const free = route.operation.requirements.every(({ teamTokenNeedsNoScope }) => teamTokenNeedsNoScope)
      const tokens = [await personalToken(database, owner, { scopes }), ...(free ? [] : [await teamToken(database, team, { scopes })])]
      const { method, path, body } = callOf(route, team.slug, true)
      for (const token of tokens) {
        const answer = await request(service, method, path, { token, body })
        expect([answer.status, answer.body]).toEqual([403, forbidden('insufficient_scope')])
        expect(answer.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${needed.join(' ')}"`)
        expect(answer.headers.get('x-accepted-scopes')).toBe(needed.join(', '))
        expect(answer.headers.get('x-granted-scopes')).toBe(scopes.join(', '))
      }
    })

  if (needed.length > 0)
    test('any one of the needed scopes is enough for an owner', async () => {
      for (const scope of needed) {
        const { status } = await ask(await personalToken(database, owner, { scopes: [scope] }))
        expect([200, 204, 404, 422]).toContain(status)
      }
    })

  if (route.operation.requirements.some(({ roles }) => roles))
    test('another role is 403, before validation', async () => {
      const allowed = new Set(route.operation.requirements.flatMap(({ roles }) => roles ?? []))
      for (const role of (['member', 'billing'] as const).filter((role) => !allowed.has(role))) {
        const user = await createUser(database)
        await join(database, team, user, role)
        const { method, path, body } = callOf(route, team.slug, true)
        const answer = await request(service, method, path, { token: await personalToken(database, user), body })
        expect([answer.status, answer.body]).toEqual([403, forbidden('role_required')])
      }
    })

  test('another method is 405 with Allow, and HEAD is as GET', async () => {
    const token = await personalToken(database, owner)
    const { status, headers, body } = await request(service, 'DELETE', path, { token })
    expect([status, body]).toEqual([405, { message: 'Method Not Allowed.', code: 'method_not_allowed', request_id: uuid }])
    expect(headers.get('allow')).toContain(method)
    expect([headers.get('x-accepted-scopes'), headers.get('x-granted-scopes')]).toEqual(['', ''])
    if (method === 'GET')
      expect(await request(service, 'HEAD', path, { token })).toMatchObject({ status: (await ask(token)).status, body: null })
  })
})

describe('what no route is asked for', () => {
  test.each(['/api/v1/nothing', '/api/v1/teams/x/nothing', '/api/V1/teams', '/api', '/nothing', '/api/v1/teams/%E0%A4%A', '/%'])(
    '%s is 404',
    async (path) => {
      const { status, body } = await request(service, 'GET', path)
      expect([status, body]).toEqual([404, { message: 'Not Found.', code: 'not_found', request_id: uuid }])
    },
  )

  test('another host is 421', async () => {
    const { host } = new URL(service.url)
    for (const [target, name] of [
      ['/api/v1/teams', 'evil.example'],
      ['http://evil.example/api/v1/teams', host],
      ['http://evil.example/api/v1/teams', 'evil.example'],
    ])
      expect(await rawStatus(service.url, `GET ${target} HTTP/1.1\r\nHost: ${name}\r\n\r\n`)).toBe(421)
  })
})

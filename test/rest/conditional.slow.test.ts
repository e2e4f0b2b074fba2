import { beforeAll, describe, expect, test } from 'vitest'
import type { Team } from '../../prisma/generated/client/client.ts'
import { request } from '../support/http/request.ts'
import { createOwnedTeam, createUser, join } from '../support/data/team.ts'
import { isFull, repetitions } from '../support/service/full.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { database } = service
let team: Team
let token: string
let path: string
beforeAll(async () => {
  ;({ team, token } = await createOwnedTeam(database))
  path = `/api/v1/teams/${team.slug}`
})

const send = (method: 'GET' | 'HEAD' | 'PATCH', headers: Record<string, string> = {}, body?: unknown) =>
  request(service, method, path, { token, body, headers: { 'Cache-Control': 'max-age=0', ...headers } })
const currentTag = async () => (await send('GET')).headers.get('etag') ?? ''
const opaque = (tag: string) => tag.replace('W/', '')

describe('the ETag of a team', () => {
  test('is weak, stays the same until a change, and comes with the response of the change', async () => {
    const first = await currentTag()
    expect(first).toMatch(/^W\/"[!#-~]+"$/)
    expect([await currentTag(), (await send('HEAD')).headers.get('etag')]).toEqual([first, first])
    const { headers } = await send('PATCH', {}, { name: 'Another name' })
    expect(headers.get('etag')).not.toBe(first)
    expect(await currentTag()).toBe(headers.get('etag'))
  })

  test('differs after each of several changes in the same millisecond', async () => {
    await database.prisma.team.update({ where: { id: team.id }, data: { updatedAt: new Date(Date.now() + 60_000) } })
    const tags = new Set<string | null>()
    for (const name of ['a', 'b', 'c']) tags.add((await send('PATCH', {}, { name })).headers.get('etag'))
    expect(tags.size).toBe(3)
  })

  test('costs no statement', async () => {
    service.statements.length = 0
    await send('GET')
    await send('GET', { 'If-None-Match': await currentTag() })
    expect(service.statements.length).toBe(3)
  })
})

describe('If-None-Match', () => {
  const fields = (tag: string) => [tag, opaque(tag), '*', ` ${tag} `, `"a", ${tag}, "b"`, `"a",${opaque(tag)}`]

  test('returns 304 without a body while it names the ETag, alone, in a list, strong or weak, or is *', async () => {
    for (const field of fields(await currentTag()))
      for (const method of ['GET', 'HEAD'] as const) {
        const { status, body, headers } = await send(method, { 'If-None-Match': field })
        expect([field, status, body, headers.get('etag')]).toEqual([field, 304, null, await currentTag()])
        expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([null, 'no-store'])
      }
  })

  test.each(['', '"other"', 'W/"other"', 'W/', '"', 'unquoted', '"a", "b"', '**', '"*"'])('returns the team if it is %j', async (field) => {
    expect(await send('GET', { 'If-None-Match': field })).toMatchObject({ status: 200, body: { slug: team.slug } })
  })

  test('returns the team if the tag in it lacks its quotation marks or is only a part', async () => {
    const tag = opaque(await currentTag())
    for (const field of [tag.slice(1, -1), `${tag.slice(0, -2)}"`, `"${tag.slice(2)}`, `"x${tag.slice(1)}`])
      expect((await send('GET', { 'If-None-Match': field })).status).toBe(200)
  })

  test('does not replace the 401, 403 and 404 of a request', async () => {
    const headers = { 'If-None-Match': '*', 'Cache-Control': 'max-age=0' }
    expect((await request(service, 'GET', path, { headers })).status).toBe(401)
    expect((await request(service, 'GET', '/api/v1/teams/unknown', { token, headers })).status).toBe(403)
    expect((await request(service, 'GET', `${path}/apps/flow`, { token, headers })).status).toBe(404)
  })

  test('has no effect on a resource without an ETag', async () => {
    const headers = { 'If-None-Match': '*', 'Cache-Control': 'max-age=0' }
    for (const target of ['/api/v1/teams', `${path}/members`, `${path}/tokens`, '/api/v1/user'])
      expect((await request(service, 'GET', target, { token, headers })).status).toBe(200)
  })
})

describe('If-Match', () => {
  const refused = { message: 'Precondition Failed.', code: 'precondition_failed', request_id: expect.any(String) }

  test('lets a change through if it names the ETag, alone, in a list, strong or weak, or is *', async () => {
    for (const form of [String, opaque, () => '*', (tag: string) => `"other", ${tag}`]) {
      const { status } = await send('PATCH', { 'If-Match': form(await currentTag()) }, { name: 'Changed' })
      expect(status).toBe(200)
    }
  })

  test.each(['', '"other"', 'W/"other"', 'unquoted', '"a", "b"', '"*"'])('returns 412 and changes nothing if it is %j', async (field) => {
    const before = await send('GET')
    const { status, body } = await send('PATCH', { 'If-Match': field }, { name: 'Refused' })
    expect([status, body]).toEqual([412, refused])
    expect((await send('GET')).body).toEqual(before.body)
  })

  test('returns 412 for an earlier version, and the audit log records no change', async () => {
    const earlier = await currentTag()
    await send('PATCH', { 'If-Match': earlier }, { name: 'First' })
    const audited = () => database.prisma.auditEntry.count({ where: { teamId: team.id } })
    const entries = await audited()
    expect((await send('PATCH', { 'If-Match': earlier }, { name: 'Second' })).body).toEqual(refused)
    expect([(await send('GET')).body.name, await audited()]).toEqual(['First', entries])
  })

  test('does not replace the 401, 403, 415 and 422 of a request', async () => {
    const headers = { 'If-Match': '"other"' }
    expect((await request(service, 'PATCH', path, { headers, body: {} })).status).toBe(401)
    expect((await request(service, 'PATCH', '/api/v1/teams/unknown', { token, headers, body: {} })).status).toBe(403)
    expect((await send('PATCH', { ...headers, 'Content-Type': 'text/plain' }, {})).status).toBe(415)
    expect((await send('PATCH', headers, { name: '' })).status).toBe(422)
  })

  test('lets exactly one of several simultaneous changes through', async () => {
    for (let round = 0; round < repetitions({ short: 3, full: 50 }); round++) {
      const headers = { 'If-Match': await currentTag() }
      const names = Array.from({ length: isFull ? 10 : 4 }, (_, index) => `Round ${round}.${index}`)
      const responses = await Promise.all(names.map((name) => send('PATCH', headers, { name })))
      const statuses = responses.map(({ status }) => status).sort((a, b) => a - b)
      expect(statuses).toEqual([200, ...names.slice(1).map(() => 412)])
      expect((await send('GET')).body.name).toBe(responses.find(({ status }) => status === 200)?.body.name)
    }
  })

  test('works for a member, whose ETag changes with role, applications, name and address', async () => {
    const user = await createUser(database)
    await join(database, team, user, 'member')
    const target = `${path}/members/${user.id}`
    const get = (headers: Record<string, string> = {}) =>
      request(service, 'GET', target, { token, headers: { 'Cache-Control': 'max-age=0', ...headers } })
    const patch = (tag: string, body: object) => request(service, 'PATCH', target, { token, body, headers: { 'If-Match': tag } })
    const tagOf = async () => (await get()).headers.get('etag') ?? ''
    const tags = [await tagOf()]
    expect((await get({ 'If-None-Match': tags[0] ?? '' })).status).toBe(304)
    expect((await patch(tags[0] ?? '', { role: 'billing' })).status).toBe(204)
    tags.push(await tagOf())
    expect((await patch(tags[0] ?? '', { role: 'member' })).body).toEqual(refused)
    expect((await patch('*', { accessible_app_ids: ['flow'] })).status).toBe(204)
    tags.push(await tagOf())
    await database.prisma.user.update({ where: { id: user.id }, data: { name: 'Renamed' } })
    tags.push(await tagOf())
    expect([new Set(tags).size, (await get({ 'If-None-Match': tags[2] ?? '' })).body.name]).toEqual([4, 'Renamed'])
    const roles = ['billing', 'member', 'owner']
    const racing = await Promise.all(roles.map((role) => patch(tags[3] ?? '', { role, accessible_app_ids: null })))
    expect(racing.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 412, 412])
    expect((await get()).body.role).toBe(roles[racing.findIndex(({ status }) => status === 204)])
  })

  test('is optional: without it, the last of several changes wins', async () => {
    const tag = await currentTag()
    for (const name of ['One', 'Two']) expect((await send('PATCH', {}, { name })).status).toBe(200)
    expect((await send('PATCH', { 'If-None-Match': tag }, { name: 'Three' })).status).toBe(200)
    expect((await send('PATCH', { 'If-None-Match': '*' }, { name: 'Four' })).status).toBe(412)
  })
})

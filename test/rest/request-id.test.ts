import { beforeAll, describe, expect, test, vi } from 'vitest'
import { sendRaw } from '../support/http/raw.ts'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import type { Team } from '../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
let team: Team
let token: string
beforeAll(async () => {
  ;({ team, token } = await createOwnedTeam(database))
})

describe('the X-Request-Id of a request', () => {
  test.each(['a', '01JD8Z4T-client.7', 'Root=1-67891233-abcdef012345678912345678', 'x'.repeat(128)])(
    'is kept in the response, the error body and the audit log if it is %s',
    async (id) => {
      const headers = { 'X-Request-Id': id }
      const path = `/api/v1/teams/${team.slug}`
      const refused = await request(service, 'GET', `${path}/members?page=0`, { token, headers })
      expect([refused.status, refused.headers.get('x-request-id'), refused.body.request_id]).toEqual([422, id, id])
      const body = { name: `Renamed ${id.length}` }
      expect((await request(service, 'PATCH', path, { token, headers, body })).headers.get('x-request-id')).toBe(id)
      const entry = await database.prisma.auditEntry.findFirst({ where: { teamId: team.id }, orderBy: { at: 'desc' } })
      expect(entry?.requestId).toBe(id)
      expect((await fetch(`${service.url}/sign-in`, { headers })).headers.get('x-request-id')).toBe(id)
    },
  )

  test.each(['', 'x'.repeat(129), 'two words', 'a,b', 'a;b', '"quoted"', '<script>', "it's", 'a{b}', 'caf\u00e9', '%0d%0aSet-Cookie'])(
    'is replaced by a new one if it is %j',
    async (id) => {
      const { headers, body } = await request(service, 'GET', '/api/v1/user', { headers: { 'X-Request-Id': id } })
      expect(headers.get('x-request-id')).toMatch(uuid)
      expect(body.request_id).toBe(headers.get('x-request-id'))
    },
  )

  test('is replaced by a new one if it is sent twice', async () => {
    const { host } = new URL(service.url)
    const lines = ['GET /api/v1/user HTTP/1.1', `Host: ${host}`, 'X-Request-Id: a', 'X-Request-Id: b', 'Connection: close']
    const [, id] = /^X-Request-Id: (.*)\r$/m.exec(await sendRaw(service.url, `${lines.join('\r\n')}\r\n\r\n`)) ?? []
    expect(id).toMatch(uuid)
  })

  test('names the log line of an unexpected error, over REST and GraphQL', async () => {
    await database.prisma.$executeRaw`ALTER TABLE connected_apps RENAME TO connected_apps_renamed`
    try {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'X-Request-Id': 'client-7' }
      const rest = await request(service, 'GET', `/api/v1/teams/${team.slug}/apps`, { headers })
      expect([rest.status, rest.body.request_id]).toEqual([500, 'client-7'])
      const body = JSON.stringify({ query: `{ team(slug: "${team.slug}") { apps { total } } }` })
      const { errors } = await (await fetch(`${service.url}/graphql`, { method: 'POST', headers, body })).json()
      expect(errors[0].extensions).toEqual({ code: 'server_error', request_id: 'client-7' })
      expect(service.logged.map(({ requestId }) => requestId)).toEqual(['client-7', 'client-7'])
    } finally {
      await database.prisma.$executeRaw`ALTER TABLE connected_apps_renamed RENAME TO connected_apps`
    }
  })

  test('is not in the log line of an error that occurs after its response, in work for many requests', async () => {
    const { prisma } = database
    // The last uses of a second are written together, by a timer that the first request starts.
    await prisma.$executeRaw`CREATE FUNCTION refuse_use() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no use'; END $$`
    await prisma.$executeRaw`CREATE TRIGGER refuse_use BEFORE UPDATE OF last_used_at ON access_tokens EXECUTE FUNCTION refuse_use()`
    try {
      service.logged.length = 0
      service.clock.advance(60_000)
      const headers = { 'X-Request-Id': 'succeeded' }
      expect((await request(service, 'GET', '/api/v1/user', { token, headers })).status).toBe(200)
      await vi.waitFor(() => expect(service.logged).toHaveLength(1), { timeout: 10_000 })
      expect(service.logged).toEqual([
        expect.objectContaining({ msg: 'unexpected error', err: expect.objectContaining({ message: 'no use' }) }),
      ])
      expect(service.logged[0]).not.toHaveProperty('requestId')
    } finally {
      await prisma.$executeRaw`DROP TRIGGER refuse_use ON access_tokens`
    }
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import type { Team } from '../../prisma/generated/client/client.ts'
import { sessionHeader, signedIn } from '../support/account-site/page-content.ts'
import { createOwnedTeam, createUser, join } from '../support/data/team.ts'
import { fetchApi } from '../support/http/fetch-api.ts'
import { sendRaw } from '../support/http/raw.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { database, url } = service
let team: Team
let token: string
let members: string
beforeAll(async () => {
  ;({ team, token } = await createOwnedTeam(database))
  for (let i = 0; i < 5; i++) await join(database, team, await createUser(database), 'member')
  members = `/api/v1/teams/${team.slug}/members`
})

type SendOptions = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }
const get = (path: string, acceptEncoding: string, { headers, ...init }: SendOptions = {}) =>
  fetchApi(url + path, { ...init, headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': acceptEncoding, ...headers } })
const encodingOf = ({ headers }: Response) => headers.get('content-encoding')

describe('a response from 1 KB', () => {
  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['*', 'br'],
  ])('with Accept-Encoding: %s is compressed by %s', async (accepted, encoding) => {
    const plain = await get(members, 'identity')
    const response = await get(members, accepted)
    expect([encodingOf(plain), encodingOf(response)]).toEqual([null, encoding])
    expect([response.headers.get('vary'), response.headers.get('content-length')]).toEqual(['Accept-Encoding', null])
    expect(await response.text()).toBe(await plain.text())
  })

  test.each(['identity', '', 'br;q=0, gzip;q=0', 'unknown'])('with Accept-Encoding: %j is not compressed', async (accepted) => {
    const response = await get(members, accepted)
    expect([encodingOf(response), response.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(await response.text()))
  })

  test('without Accept-Encoding is not compressed', async () => {
    const { host } = new URL(url)
    const lines = [`GET ${members} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`, 'Connection: close']
    const received = await sendRaw(url, `${lines.join('\r\n')}\r\n\r\n`)
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(received).not.toMatch(/^Content-Encoding:/im)
    expect(received).toContain('"data":[{"id":')
  })

  test('of GraphQL, GraphiQL, the documentation and the OpenAPI document is compressed, too', async () => {
    const query = JSON.stringify({
      query: `{ team(slug: "${team.slug}") { members { nodes { userId name email avatarUrl joinedAt } } } }`,
    })
    const graphql = await get('/graphql', 'gzip', { method: 'POST', body: query, headers: { 'Content-Type': 'application/json' } })
    expect([encodingOf(graphql), (await graphql.json()).data.team.members.nodes.length]).toEqual(['gzip', 6])
    for (const path of [
      '/api/openapi.json',
      '/api/openapi-3.0.json',
      '/api/postman.json',
      '/graphql/schema.graphql',
      '/graphql/start.js',
    ]) {
      const [plain, response] = [await get(path, 'identity'), await get(path, 'br')]
      expect([path, encodingOf(response), response.headers.get('vary'), plain.headers.get('vary')]).toEqual([
        path,
        'br',
        'Accept-Encoding',
        'Accept-Encoding',
      ])
      expect([response.headers.get('etag'), await response.text()]).toEqual([plain.headers.get('etag'), await plain.text()])
      expect(response.headers.get('etag')).toMatch(/^W\//)
    }
  })

  test('to HEAD has no body, and 304 stays possible', async () => {
    expect(await (await get(members, 'gzip', { method: 'HEAD' })).text()).toBe('')
    const { headers } = await get('/api/openapi.json', 'gzip')
    const again = { 'If-None-Match': headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' }
    expect((await get('/api/openapi.json', 'gzip', { headers: again })).status).toBe(304)
  })
})

describe('a response stays uncompressed', () => {
  test('below 1 KB', async () => {
    for (const path of ['/api/v1/user', `/api/v1/teams/${team.slug}`, '/api/v1/nowhere'])
      expect([path, encodingOf(await get(path, 'gzip'))]).toEqual([path, null])
  })

  test('if it is a page: its compressed size would reveal the CSRF token to another site', async () => {
    const { browser } = await signedIn(service)
    for (const path of ['/account', '/security', '/teams/new']) {
      const response = await fetch(url + path, {
        headers: { Cookie: sessionHeader(browser), 'Accept-Encoding': 'gzip, br' },
        redirect: 'manual',
      })
      const size = Buffer.byteLength(await response.text())
      expect([path, response.status, encodingOf(response), size > 1024]).toEqual([path, 200, null, true])
    }
  })

  test('of the authorization server', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const response = await fetch(url + path, { headers: { 'Accept-Encoding': 'gzip' } })
      expect([response.status, encodingOf(response)]).toEqual([200, null])
    }
  })
})

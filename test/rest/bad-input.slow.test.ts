import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { fetchApi } from '../support/http/fetch-api.ts'
import { expectNoFault } from '../support/http/no-fault.ts'
import { sendRaw, sendRawForStatus } from '../support/http/raw.ts'
import { fuzzing } from '../support/service/full.ts'
import { useService } from '../support/service/service.ts'
import { createOwnedTeam, createUser, join } from '../support/data/team.ts'
import type { Team, User } from '../../prisma/generated/client/client.ts'

const service = useService()
const { database, url } = service
let team: Team
let token: string
let member: User
beforeAll(async () => {
  ;({ team, token } = await createOwnedTeam(database))
  member = await createUser(database)
  await join(database, team, member, 'member')
})

const send = (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetchApi(url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })

describe('a request body', () => {
  let path = ''
  beforeAll(() => {
    path = `/api/v1/teams/${team.slug}`
  })
  const patch = async (body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>) => {
    const response = await send('PATCH', path, body, headers)
    const { code }: { code?: string } = await response.json()
    return [response.status, code]
  }

  test.each(['{', '{"name":}', '{"name":"a"', "{'name':'a'}", 'undefined', '{"a":1}x', '[1,'])('%j returns 400', async (body) => {
    expect(await patch(body)).toEqual([400, 'bad_request'])
  })

  test('that is not UTF-8 returns 400, in the charset of its content type', async () => {
    const latin1 = Uint8Array.from(Buffer.from('{"name":"Caf\xe9"}', 'latin1'))
    expect(await patch(latin1)).toEqual([400, 'bad_request'])
    const utf16 = Uint8Array.from(Buffer.from('{"name":"Caf\xe9"}', 'utf16le'))
    expect(await patch(utf16, { 'Content-Type': 'application/json; charset=utf-16le' })).toEqual([200, undefined])
    expect((await send('POST', '/graphql', Uint8Array.from(Buffer.from('{"query":"{ viewer { kind } } #\xff"}', 'latin1')))).status).toBe(
      400,
    )
  })

  test('of 100 KiB is accepted and a larger one returns 413', async () => {
    const bodyOf = (bytes: number) => JSON.stringify({ name: 'Acme', padding: 'x'.repeat(bytes - 28) })
    expect(Buffer.byteLength(bodyOf(102_400))).toBe(102_400)
    expect(await patch(bodyOf(102_400))).toEqual([200, undefined])
    expect(await patch(bodyOf(102_401))).toEqual([413, 'content_too_large'])
    expect(await patch(bodyOf(5_000_000))).toEqual([413, 'content_too_large'])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', 'invalid'])(
    'of the content type %s returns 415',
    async (type) => {
      expect(await patch('{"name":"Other"}', { 'Content-Type': type })).toEqual([415, 'unsupported_media_type'])
    },
  )

  test('with an unknown charset or a content encoding returns 415, not with the name utf8', async () => {
    expect(await patch('{}', { 'Content-Type': 'application/json; charset=unknown' })).toEqual([415, 'unsupported_media_type'])
    expect(await patch('{}', { 'Content-Type': 'application/json; charset="UTF8"' })).toEqual([200, undefined])
    expect(await patch('{}', { 'Content-Encoding': 'gzip' })).toEqual([415, 'unsupported_media_type'])
  })

  test('that is deeply nested, has a __proto__ key or a duplicate key does not cause a server error', async () => {
    expect((await send('PATCH', path, '['.repeat(50_000) + ']'.repeat(50_000))).status).toBe(422)
    expect((await send('PATCH', path, `{"name":${'{"a":'.repeat(15_000)}1${'}'.repeat(15_001)}`)).status).toBe(422)
    expect((await send('PATCH', path, '{"__proto__":{"name":"x"},"constructor":1}')).status).toBe(200)
    expect((await send('PATCH', path, '{"name":"One","name":"Acme"}')).status).toBe(200)
  })

  test('is validated after authentication and team access', async () => {
    expect((await send('PATCH', '/api/v1/teams/nowhere', '{')).status).toBe(403)
    expect((await send('PATCH', path, '{', { Authorization: 'Bearer x' })).status).toBe(401)
  })
})

describe('an HTTP request', () => {
  test('with a malformed or too long request line or header section is rejected by the HTTP parser', async () => {
    const line = (target: string) => `GET ${target} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n`
    expect(await sendRawForStatus(url, `${line(`/api/v1/teams?x=${'a'.repeat(40_000)}`)}\r\n`)).toBe(431)
    expect(await sendRawForStatus(url, `${line('/api/v1/teams')}X: ${'a'.repeat(40_000)}\r\n\r\n`)).toBe(431)
    expect(await sendRawForStatus(url, `${line('/api/v1/teams\0')}\r\n`)).toBe(400)
    expect(await sendRawForStatus(url, 'invalid\r\n\r\n')).toBe(400)
  })

  test('rejected by the HTTP parser receives an error code and a request ID', async () => {
    const response = await sendRaw(url, 'invalid\r\n\r\n')
    const [head = '', body = ''] = response.split('\r\n\r\n')
    const id = /x-request-id: (\S+)/i.exec(head)?.[1]
    expect(JSON.parse(body)).toEqual({ message: 'Bad Request.', code: 'bad_request', request_id: id })
    const longResponse = await sendRaw(url, `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`)
    expect(longResponse).toContain('"code":"header_too_large"')
  })

  test('with an unknown or unsupported method is rejected', async () => {
    const { host } = new URL(url)
    expect(await sendRawForStatus(url, `BREW /api/v1/teams HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toBe(400)
    for (const method of ['PUT', 'DELETE', 'PROPFIND', 'OPTIONS']) expect((await send(method, '/api/v1/teams')).status).toBe(405)
  })
})

// Values that often break programs: malformed text and numbers, and values that are almost valid.
const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '\0',
    '\ud800',
    'a\0b',
    '',
    ' ',
    '٣',
    '1e309',
    '-0',
    '2147483648',
    '9'.repeat(400),
    '%',
    '%00',
    '%zz',
    '../..',
    '{}',
    'null',
    '\u202e',
    "' OR 1=1 --",
  ),
  fc.constantFrom('1', '50', '100', 'lines', 'asc', 'desc', 'flow', 'owner', 'member', 'UTC', 'a@example.test'),
  fc
    .constantFrom(
      () => member.id,
      () => team.slug,
    )
    .map((read) => read()),
)
const json = fc.oneof(
  fc.jsonValue(),
  hostileText,
  fc.array(hostileText, { maxLength: 4 }),
  fc.constantFrom(null, 1e308, -1, 2 ** 53, true, [], {}, ['flow', 'flow'], ['flow']),
)
const parameterNames = [
  'page',
  'per_page',
  'app_id',
  'sort',
  'expand',
  'expand[]',
  'expand[0]',
  'page[]',
  'per_page[x][y]',
  '__proto__',
  'constructor',
  'x',
]
const query = fc.array(fc.tuple(fc.constantFrom(...parameterNames), hostileText), { maxLength: 4 })
const fieldNames = ['name', 'timezone', 'gravatar_email', 'role', 'accessible_app_ids', 'email', '__proto__', 'x']
const body = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...fieldNames), json, { maxKeys: 4 }) },
  { weight: 1, arbitrary: json },
)

/** Percent-encodes a text. A lone surrogate, which has no encoding, is replaced by U+FFFD. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

describe('arbitrary REST requests', () => {
  test('never cause a server error', { timeout: 3_600_000 }, async () => {
    const call = fc.record({
      route: fc.constantFrom(...routes),
      parameters: fc.array(hostileText, { minLength: 2, maxLength: 2 }),
      isOwnTeam: fc.boolean(),
      query,
      body,
    })
    await fc.assert(
      fc.asyncProperty(call, async ({ route, parameters, isOwnTeam, query, body }) => {
        let index = 0
        const path = route.path.replace(/\{(\w+)\}/g, (_, name) =>
          name === 'teamSlug' && isOwnTeam ? team.slug : encode(parameters[index++] ?? 'x'),
        )
        const search = query.map(([name, value]) => `${name}=${encode(value)}`).join('&')
        const response = await send(route.method.toUpperCase(), `/api${path}?${search}`, route.body && JSON.stringify(body))
        await expectNoFault(service, response, { route: route.operationId, search, body })
      }),
      fuzzing({ short: 300, full: 1500 }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { fetchApi } from '../support/fetch-api.ts'
import { rawAnswer, rawStatus } from '../support/raw.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createUser, join } from '../support/team.ts'

// FUZZ_REQUESTS=50000 FUZZ_SEED=1 makes the long form of the property.
const requests = Number(process.env.FUZZ_REQUESTS ?? 1500)
const seed = process.env.FUZZ_SEED === undefined ? undefined : Number(process.env.FUZZ_SEED)

const service = await startService()
const { database, url } = service
const { team, token } = await createOwnedTeam(database)
const member = await createUser(database)
await join(database, team, member, 'member')

const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
  fetchApi(url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })

describe('a body', () => {
  const path = `/api/v1/teams/${team.slug}`
  const patch = async (body: string, headers?: Record<string, string>) => {
    const response = await send('PATCH', path, body, headers)
    const { code } = (await response.json()) as { code?: string }
    return [response.status, code]
  }

  test.each(['{', '{"name":}', '{"name":"a"', "{'name':'a'}", 'undefined', '{"a":1}x', '[1,'])('%j is 400', async (body) => {
    expect(await patch(body)).toEqual([400, 'bad_request'])
  })

  test('over 100 KiB is 413, of 100 KiB is read', async () => {
    const bodyOf = (bytes: number) => JSON.stringify({ name: 'Acme', padding: 'x'.repeat(bytes - 28) })
    expect(Buffer.byteLength(bodyOf(102_400))).toBe(102_400)
    expect(await patch(bodyOf(102_400))).toEqual([200, undefined])
    expect(await patch(bodyOf(102_401))).toEqual([413, 'content_too_large'])
    expect(await patch(bodyOf(5_000_000))).toEqual([413, 'content_too_large'])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', 'nonsense'])(
    'of %s is 415',
    async (type) => {
      expect(await patch('{"name":"Other"}', { 'Content-Type': type })).toEqual([415, 'unsupported_media_type'])
    },
  )

  test('in another charset or compressed is 415', async () => {
    expect(await patch('{}', { 'Content-Type': 'application/json; charset=nonsense' })).toEqual([415, 'unsupported_media_type'])
    expect(await patch('{}', { 'Content-Encoding': 'gzip' })).toEqual([415, 'unsupported_media_type'])
  })

  test('nested 50,000 deep, with a prototype, or with a member twice breaks nothing', async () => {
    expect((await send('PATCH', path, '['.repeat(50_000) + ']'.repeat(50_000))).status).toBe(422)
    expect((await send('PATCH', path, `{"name":${'{"a":'.repeat(15_000)}1${'}'.repeat(15_001)}`)).status).toBe(422)
    expect((await send('PATCH', path, '{"__proto__":{"name":"x"},"constructor":1}')).status).toBe(200)
    expect((await send('PATCH', path, '{"name":"One","name":"Acme"}')).status).toBe(200)
  })

  test('is judged after team, scope and role', async () => {
    expect((await send('PATCH', '/api/v1/teams/nowhere', '{')).status).toBe(403)
    expect((await send('PATCH', path, '{', { Authorization: 'Bearer x' })).status).toBe(401)
  })
})

describe('a request', () => {
  test('too long for its line or header fields is refused below us', async () => {
    const line = (target: string) => `GET ${target} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n`
    expect(await rawStatus(url, `${line(`/api/v1/teams?x=${'a'.repeat(40_000)}`)}\r\n`)).toBe(431)
    expect(await rawStatus(url, `${line('/api/v1/teams')}X: ${'a'.repeat(40_000)}\r\n\r\n`)).toBe(431)
    expect(await rawStatus(url, `${line('/api/v1/teams\0')}\r\n`)).toBe(400)
    expect(await rawStatus(url, 'nonsense\r\n\r\n')).toBe(400)
  })

  test('refused below us still says why, and has an id', async () => {
    const answer = await rawAnswer(url, 'nonsense\r\n\r\n')
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    const id = /x-request-id: (\S+)/i.exec(head)?.[1]
    expect(JSON.parse(body)).toEqual({ message: 'Bad Request.', code: 'bad_request', request_id: id })
    const long = await rawAnswer(url, `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`)
    expect(long).toContain('"code":"header_too_large"')
  })

  test('of an unknown method is refused', async () => {
    const { host } = new URL(url)
    expect(await rawStatus(url, `BREW /api/v1/teams HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toBe(400)
    for (const method of ['PUT', 'DELETE', 'PROPFIND', 'OPTIONS']) expect((await send(method, '/api/v1/teams')).status).toBe(405)
  })
})

// What breaks programs: text that is no text, numbers that are no numbers, and what is nearly right.
const nasty = fc.oneof(
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
  fc.constantFrom('1', '50', '100', 'lines', 'asc', 'desc', 'flow', 'owner', 'member', 'UTC', 'a@example.test', member.id, team.slug),
)
const json = fc.oneof(
  fc.jsonValue(),
  nasty,
  fc.array(nasty, { maxLength: 4 }),
  fc.constantFrom(null, 1e308, -1, 2 ** 53, true, [], {}, ['flow', 'flow'], ['flow']),
)
const names = [
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
const query = fc.array(fc.tuple(fc.constantFrom(...names), nasty), { maxLength: 4 })
const members = ['name', 'timezone', 'gravatar_email', 'role', 'accessible_app_ids', 'email', '__proto__', 'x']
const body = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...members), json, { maxKeys: 4 }) },
  { weight: 1, arbitrary: json },
)

/** Percent-encoded as a client would, or, where that cannot be, as bytes of a lone surrogate. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

describe('whatever a client sends', () => {
  test(`no 5xx in ${requests} requests`, { timeout: 3_600_000 }, async () => {
    const call = fc.record({
      route: fc.constantFrom(...routes),
      parameters: fc.array(nasty, { minLength: 2, maxLength: 2 }),
      ours: fc.boolean(),
      query,
      body,
    })
    await fc.assert(
      fc.asyncProperty(call, async ({ route, parameters, ours, query, body }) => {
        let index = 0
        const path = route.path.replace(/\{(\w+)\}/g, (_, name) =>
          name === 'teamSlug' && ours ? team.slug : encoded(parameters[index++] ?? 'x'),
        )
        const search = query.map(([name, value]) => `${name}=${encoded(value)}`).join('&')
        const response = await send(route.method.toUpperCase(), `/api${path}?${search}`, route.body && JSON.stringify(body))
        await response.arrayBuffer()
        expect(response.status, `${route.operationId} ${search} ${JSON.stringify(body)}`).toBeLessThan(500)
      }),
      { numRuns: requests, ...(seed !== undefined && { seed }) },
    )
  })
})

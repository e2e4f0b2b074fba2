import { expect, test } from 'vitest'
import { listen } from '../../src/http/server.ts'
import { sendRaw } from '../support/http/raw.ts'
import { useService } from '../support/service/service.ts'

const overHttps = useService({ authUrl: 'https://accounts.example', trustProxy: true })
const overHttp = useService()

const paths = [
  '/',
  '/sign-in',
  '/api/v1/teams',
  '/api/docs',
  '/graphql',
  '/.well-known/openid-configuration',
  '/api/oauth/token',
  '/none',
  '/%',
  '/links/x',
]

test.each(paths)('%s makes browsers use https if AUTH_URL does, and only then', async (path) => {
  const headers = { 'x-forwarded-host': 'accounts.example', 'x-forwarded-proto': 'https' }
  const fieldOf = async (url: string, fields = {}) =>
    (await fetch(url + path, { headers: fields, redirect: 'manual' })).headers.get('strict-transport-security')
  expect(await fieldOf(overHttps.url, headers)).toBe('max-age=31536000')
  // Refused with 421: the host is not that of AUTH_URL.
  expect(await fieldOf(overHttps.url)).toBe('max-age=31536000')
  expect(await fieldOf(overHttp.url)).toBeNull()
})

test.each([
  ['is sent while the service starts', 503, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['is malformed', 400, 'invalid\r\n\r\n'],
  ['has an unknown expectation', 417, 'GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'],
  ['has too long header fields', 431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`],
])('the response to a request that %s makes browsers use https if AUTH_URL does', async (_, status, bytes) => {
  for (const [authUrl, expected] of [
    ['https://accounts.example', 'max-age=31536000'],
    ['http://localhost', undefined],
  ] as const) {
    const server = await listen({ host: '127.0.0.1', port: 0, authUrl }, undefined, 0)
    const [head = '', body = ''] = (await sendRaw(server.address, bytes)).split('\r\n\r\n')
    const fieldOf = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim()
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(fieldOf('strict-transport-security')).toBe(expected)
    expect([fieldOf('x-request-id'), fieldOf('content-type')]).toEqual([JSON.parse(body).request_id, 'application/json'])
    await server.close(0)
  }
})

test('a request that names no host is refused like other malformed requests', async () => {
  const response = await sendRaw(overHttps.url, 'GET /api/v1/user HTTP/1.1\r\nConnection: close\r\n\r\n')
  const [head = '', body = ''] = response.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 400 /)
  expect(head.toLowerCase()).toContain('strict-transport-security: max-age=31536000\r\n')
  const requestId = /x-request-id: (\S+)/i.exec(head)?.[1]
  expect(JSON.parse(body)).toEqual({ message: 'Bad Request.', code: 'bad_request', request_id: requestId })
})

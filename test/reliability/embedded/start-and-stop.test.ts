import { Agent, get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { listen } from '../../../src/http/server.ts'
import { waitFor } from '../../support/service/wait.ts'

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)

test.each(['GET', 'POST', 'PATCH', 'OPTIONS'])(
  'a service that takes too long to start responds to %s with 503, Retry-After and an error body',
  async (method) => {
    const server = await listen({ host: '127.0.0.1', port: 0, authUrl: 'http://localhost' }, undefined, 0.1)
    const response = await fetch(`${server.address}/api/v1/teams`, { method })
    const requestId = response.headers.get('x-request-id')
    expect([response.status, await response.json()]).toEqual([
      503,
      { message: 'Server Error', code: 'server_error', request_id: requestId },
    ])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'retry-after': '1',
      'cache-control': 'no-store',
      connection: 'close',
      'x-request-id': uuid,
    })
    await server.close(0)
  },
)

test('a service that is starting lets requests wait, and serves them when it is ready', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0, authUrl: 'http://localhost' })
  const responses = ['one', 'two'].map((body) => fetch(server.address, { method: 'POST', body }))
  const left = new AbortController()
  const given = fetch(server.address, { signal: left.signal }).catch(() => 'gone')
  await waitFor(async () => (await fetch(server.address, { signal: AbortSignal.timeout(200) }).catch(() => null)) === null)
  left.abort()
  expect(await given).toBe('gone')
  server.serve(async (request, response) => void response.setHeader('X-Request-Id', 'r1').end(await text(request)))
  expect(await Promise.all(responses.map(async (response) => (await response).text()))).toEqual(['one', 'two'])
  await server.close(0)
})

test('a service that stops before it is ready responds to requests that wait', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0, authUrl: 'http://localhost' })
  const response = fetch(server.address)
  await waitFor(async () => (await fetch(server.address, { signal: AbortSignal.timeout(200) }).catch(() => null)) === null)
  await server.close(1)
  expect((await response).status).toBe(503)
})

test('a service that is stopping completes requests on open connections and closes each connection with its response', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0, authUrl: 'http://localhost' })
  const isInProgress = Promise.withResolvers<() => void>()
  server.serve((_, response) => isInProgress.resolve(() => void response.setHeader('X-Request-Id', 'r1').end('{}')))
  const agent = new Agent({ keepAlive: true })
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.address}/`, { agent }, resolve).on('error', reject)
  })
  const respond = await isInProgress.promise
  const closed = server.close(10)
  respond()
  const { headers, statusCode } = await response
  expect([statusCode, headers['x-request-id'], headers.connection, await text(await response)]).toEqual([200, 'r1', 'close', '{}'])
  await closed
  agent.destroy()
})

test('a service that is starting keeps the request’s own X-Request-Id', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0, authUrl: 'http://localhost' }, undefined, 0.1)
  const response = await fetch(server.address, { headers: { 'X-Request-Id': 'trace-1' } })
  expect([response.headers.get('x-request-id'), await response.json()]).toEqual([
    'trace-1',
    expect.objectContaining({ request_id: 'trace-1' }),
  ])
  await server.close(0)
})

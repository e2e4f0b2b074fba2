import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { startTcpProxy } from '../support/processes/tcp-proxy.ts'
import type { TcpProxy } from '../support/processes/tcp-proxy.ts'

const proxies: TcpProxy[] = []
const service = useService({
  connectThrough(poolConfig) {
    const proxy = startTcpProxy(poolConfig)
    proxies.push(proxy)
    return proxy.poolConfig
  },
})
const [proxy] = proxies
if (!proxy) throw new Error('The service did not create its proxy.')
afterAll(() => proxy.restore())

let token: string
let calls: [method: string, path: string][]
beforeAll(async () => {
  const owned = await createOwnedTeam(service.database)
  token = owned.token
  const team = `/api/v1/teams/${owned.team.slug}`
  calls = [
    ['GET', '/api/v1/teams'],
    ['GET', `${team}/members`],
    ['GET', `${team}/tokens`],
    ['PATCH', team],
  ]
})
const unavailable = { message: 'Server Error', code: 'server_error', request_id: expect.any(String) }

const send = ([method, path]: (typeof calls)[number]) =>
  request(service, method, path, { token, ...(method === 'PATCH' && { body: { name: 'New' } }) })

describe.each(['disconnect', 'stall'] as const)('while the connections to the database are interrupted (%s)', (how) => {
  test('responds to every request with 503 and Retry-After, and recovers without a restart', async () => {
    for (const call of calls) expect((await send(call)).status).toBe(200)
    await proxy[how]()
    // The first round uses connections that are open, the second one new connections.
    for (let round = 0; round < 2; round++) {
      for (const { status, headers, body } of await Promise.all(calls.map(send)))
        expect([status, headers.get('retry-after'), body]).toEqual([503, '1', unavailable])
    }
    await proxy.restore()
    await expect
      .poll(async () => (await Promise.all(calls.map(send))).map(({ status }) => status), { interval: 50, timeout: 30_000 })
      .toEqual([200, 200, 200, 200])
  })

  test('responds to a malformed credential with 401', async () => {
    await proxy[how]()
    expect((await request(service, 'GET', '/api/v1/teams', { token: 'nonsense' })).status).toBe(401)
    await proxy.restore()
  })
})

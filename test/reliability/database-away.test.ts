import { afterAll, describe, expect, test } from 'vitest'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam } from '../support/team.ts'
import { layWire } from '../support/wire.ts'
import type { Wire } from '../support/wire.ts'

const wires: Wire[] = []
const service = await startService({}, undefined, async (poolConfig) => {
  const wire = await layWire(poolConfig)
  wires.push(wire)
  return wire.poolConfig
})
const [wire] = wires
if (!wire) throw new Error('no wire was laid')
afterAll(() => wire.mend())

const { team, token } = await createOwnedTeam(service.database)
const calls = [
  ['GET', '/api/v1/teams'],
  ['GET', `/api/v1/teams/${team.slug}/members`],
  ['GET', `/api/v1/teams/${team.slug}/tokens`],
  ['PATCH', `/api/v1/teams/${team.slug}`],
] as const
const unavailable = { message: 'Server Error', code: 'server_error', request_id: expect.any(String) }

const ask = async ([method, path]: (typeof calls)[number]) => {
  const begunAt = performance.now()
  const answer = await request(service, method, path, { token, ...(method === 'PATCH' && { body: { name: 'New' } }) })
  return { ...answer, seconds: (performance.now() - begunAt) / 1000 }
}

describe.each(['cut', 'dangle'] as const)('with the database away (%s)', (how) => {
  test('every request is 503 with Retry-After within 3 s, and good again within a second of its return', async () => {
    for (const call of calls) expect((await ask(call)).status).toBe(200)
    await wire[how]()
    // Twice: on connections that were open, and on new ones.
    for (let round = 0; round < 2; round++) {
      for (const { status, headers, body, seconds } of await Promise.all(calls.map(ask))) {
        expect([status, body]).toEqual([503, unavailable])
        expect(headers.get('retry-after')).toBe('1')
        expect(seconds).toBeLessThan(3)
      }
    }
    await wire.mend()
    const mendedAt = performance.now()
    await expect
      .poll(async () => (await Promise.all(calls.map(ask))).map(({ status }) => status), { interval: 50, timeout: 5000 })
      .toEqual([200, 200, 200, 200])
    expect(performance.now() - mendedAt).toBeLessThan(1000)
  })

  test('a credential of a wrong form is still 401', async () => {
    await wire[how]()
    expect((await request(service, 'GET', '/api/v1/teams', { token: 'nonsense' })).status).toBe(401)
    await wire.mend()
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { passwordSession } from '../support/account-site/password-session.ts'
import { everyPage } from '../support/account-site/every-page.ts'
import { seedSite } from '../support/account-site/seed.ts'
import { Browser } from '../support/browser/browser.ts'
import { request } from '../support/http/request.ts'
import { useDisconnectableService } from '../support/oauth/disconnectable-service.ts'
import { createOwnedTeam } from '../support/data/team.ts'

const { service, proxy } = useDisconnectableService()
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

async function expectRecovery(): Promise<void> {
  await expect.poll(async () => (await Promise.all(calls.map(send))).map(({ status }) => status)).toEqual([200, 200, 200, 200])
}

/** Repeats requests for more than a second, and expects a log line for each second and reason, without a stack. */
async function expectFewLines(sendAll: () => Promise<unknown>, count: number): Promise<void> {
  service.logged.length = 0
  const startedAt = performance.now()
  let requests = 0
  // A line of an earlier test may be less than a second old.
  for (; performance.now() - startedAt < 1500 || requests < 40; requests += count) await sendAll()
  const seconds = Math.ceil((performance.now() - startedAt) / 1000)
  const reasons = Map.groupBy(service.logged, ({ msg }) => msg)
  expect(reasons.size).toBeGreaterThan(0)
  for (const [reason, lines] of reasons) {
    expect(reason).toMatch(/^the database is unavailable: ./)
    expect(lines.length).toBeLessThanOrEqual(seconds + 1)
    for (const line of lines) expect(line).toEqual(expect.not.objectContaining({ err: expect.anything() }))
  }
  expect(service.logged.length).toBeLessThan(requests / 2)
}

describe.each(['disconnect', 'stall'] as const)('while the connections to the database are interrupted (%s)', (how) => {
  test('responds to every request with 503 and Retry-After, and recovers without a restart', async () => {
    await expectRecovery()
    await proxy[how]()
    // The first round uses connections that are open, the second one new connections.
    for (let round = 0; round < 2; round++) {
      for (const { status, headers, body } of await Promise.all(calls.map(send)))
        expect([status, headers.get('retry-after'), body]).toEqual([503, '1', unavailable])
    }
    await proxy.restore()
    await expectRecovery()
  })

  test('logs one line a second and reason, without a stack, however many requests fail', async () => {
    await expectRecovery()
    await proxy[how]()
    await expectFewLines(() => Promise.all(calls.map(send)), calls.length)
  })

  test('responds to a malformed credential with 401', async () => {
    await proxy[how]()
    expect((await request(service, 'GET', '/api/v1/teams', { token: 'nonsense' })).status).toBe(401)
  })
})

test('every page logs one line a second and reason while the database is unavailable', async () => {
  const { person, parameters } = await seedSite(service, 'Outage')
  const owner = await passwordSession(service, person)
  await proxy.disconnect()
  const openEach = async () => {
    for (const { path } of everyPage(parameters)) await Promise.all([owner.open(path), new Browser(service.url).open(path)])
  }
  await expectFewLines(openEach, everyPage(parameters).length * 2)
})

import { afterAll, describe, expect, test } from 'vitest'
import { beginAt } from '../support/authorization.ts'
import { createClient, createPerson, signIn } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { layWire } from '../support/wire.ts'
import type { Wire } from '../support/wire.ts'

let wire: Wire | undefined
const service = await startService({ rateLimitSignInAccount: 10, rateLimitSignInAddress: 100 }, undefined, async (poolConfig) => {
  wire = await layWire(poolConfig)
  return wire.poolConfig
})
afterAll(() => wire?.close())
const { database } = service
const client = await createClient(database)
const person = await createPerson(database)

describe.each(['cut', 'dangle'] as const)('a database that is away (%s)', (how) => {
  test('has people try again, with the form they had', async () => {
    const { browser, page } = await beginAt(service, client, {})
    await wire?.[how]()
    const started = performance.now()
    const answers = await Promise.all([browser.open(page.url), signIn(browser, page, person)])
    expect(performance.now() - started).toBeLessThan(3000)
    for (const { status, headers, root } of answers) {
      expect([status, headers.get('retry-after'), root.querySelector('h1')?.text]).toEqual([503, '1', 'Out of reach'])
    }
    await wire?.mend()
    let again = await signIn(browser, page, person)
    while (again.status === 503) again = await signIn(browser, page, person)
    expect([again.status, again.text]).toEqual([200, expect.stringContaining(`Signed in as ${person.email}`)])
  })
})

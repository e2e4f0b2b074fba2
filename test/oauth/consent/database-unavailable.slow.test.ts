import { beforeAll, describe, expect, test } from 'vitest'
import { beginAt } from '../../support/oauth/authorization.ts'
import { useDisconnectableService } from '../../support/oauth/disconnectable-service.ts'
import { createClient, createPerson, signIn } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import type { User } from '../../../prisma/generated/client/client.ts'

const { service, proxy } = useDisconnectableService({ rateLimitSignInAccount: 10, rateLimitSignInAddress: 100 })
const { database } = service
let client: TestClient
let user: User
beforeAll(async () => {
  client = await createClient(database)
  user = await createPerson(database)
})

describe.each(['disconnect', 'stall'] as const)('while the database is unreachable (%s)', (how) => {
  test('the sign-in page returns 503, and the same form works after the database is reachable again', async () => {
    const { browser, page } = await beginAt(service, client, {})
    await proxy[how]()
    const responses = await Promise.all([browser.open(page.url), signIn(browser, page, user)])
    for (const { status, headers, root } of responses) {
      expect([status, headers.get('retry-after'), root.querySelector('h1')?.text]).toEqual([503, '1', 'Service unavailable'])
    }
    await proxy.restore()
    let consent = await signIn(browser, page, user)
    while (consent.status === 503) consent = await signIn(browser, page, user)
    expect([consent.status, consent.text]).toEqual([200, expect.stringContaining(`Signed in as ${user.email}`)])
  })
})

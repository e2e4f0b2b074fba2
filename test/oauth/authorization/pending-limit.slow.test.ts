import { beforeAll, describe, expect, test } from 'vitest'
import { enter } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, signIn } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// docs/decisions/oauth-pages.md#pending-authorization-requests. How many remain in all: test/database/cleanup/anonymous-models.slow.test.ts.

const quota = 5
const service = useService({ rateLimitAuthorization: quota, trustProxy: true })
const { database } = service
let client: TestClient
beforeAll(async () => {
  client = await createClient(database, { optionalScopes: ['offline_access', 'acct:team:read'] })
})

const countPending = () => database.prisma.oidcModel.count({ where: { kind: 'Interaction' } })
function browserAt(address: string): Browser {
  const browser = new Browser(service.url)
  browser.headers = { 'x-forwarded-for': address }
  return browser
}
/** Sends an authorization request in a new browser and returns the status of the page that follows. */
const request = async (address: string, changes = {}) =>
  (await browserAt(address).open(authorizationUrl(service, client, changes).url)).status

describe('authorization requests in browsers without a session', () => {
  test('beyond the limit of an address are refused with 429 and are not stored', async () => {
    for (let count = 0; count < quota; count++) expect(await request('192.0.2.1')).toBe(200)
    const before = await countPending()
    for (let count = 0; count < 3 * quota; count++) {
      const page = await browserAt('192.0.2.1').open(authorizationUrl(service, client).url)
      expect([page.url.origin, page.status]).toEqual([service.url, 429])
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(3500)
      expect(page.headers.getSetCookie()).toEqual([])
    }
    expect(await countPending()).toBe(before)
    expect(await request('192.0.2.2')).toBe(200)
  })

  test('count again an hour later, when the earlier ones have expired', async () => {
    for (let count = 0; count < quota; count++) await request('192.0.2.3')
    expect(await request('192.0.2.3')).toBe(429)
    service.clock.advance(3_601_000)
    expect(await request('192.0.2.3')).toBe(200)
  })

  test('do not count once the user has signed in', async () => {
    for (let count = 0; count < quota + 2; count++)
      await authorize(service, client, await createPerson(database), { browser: browserAt('192.0.2.4') })
    expect(await request('192.0.2.4')).toBe(200)
  })

  test('are counted for the /64 network of an IPv6 address', async () => {
    for (let count = 0; count < quota; count++) await request(`2001:db8:1:2::${count}`)
    expect(await request('2001:db8:1:2:3:4:5:6')).toBe(429)
    expect(await request('2001:db8:1:3::1')).toBe(200)
  })

  test('are stored with a digest of the address, not with the address', async () => {
    await request('192.0.2.123')
    const { rows } = await database.pool.query<{ row: string }>(`SELECT m::text AS row FROM oidc_models m`)
    expect(rows.filter(({ row }) => row.includes('192.0.2.123'))).toEqual([])
  })
})

describe('while an address has used up its limit', () => {
  test('a signed-in user there is neither refused nor interrupted', async () => {
    const user = await createPerson(database)
    const [signedIn, waiting] = [browserAt('192.0.2.5'), browserAt('192.0.2.5')]
    await enter(signedIn, user)
    const signInPage = await waiting.open(authorizationUrl(service, client).url)
    while ((await request('192.0.2.5')) === 200);
    const authorized = await authorize(service, client, user, { browser: signedIn })
    expect(authorized.code).not.toBe('')
    // The consent was given a moment ago, so that the sign-in leads to the client.
    expect((await signIn(waiting, signInPage, user)).url.searchParams.has('code')).toBe(true)
  })

  test('prompt=none still answers the client', async () => {
    while ((await request('192.0.2.6')) === 200);
    const page = await browserAt('192.0.2.6').open(authorizationUrl(service, client, { prompt: 'none' }).url)
    expect(page.url.searchParams.get('error')).toBe('login_required')
  })
})

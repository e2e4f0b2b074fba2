import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { heading } from '../../../support/account-site/page-content.ts'
import { listenForLogout } from '../../../support/oauth/backchannel.ts'
import { beginAt, copyCookies, formOf } from '../../../support/oauth/authorization.ts'
import { Browser } from '../../../support/browser/browser.ts'
import { authorizationUrl, createClient, createPerson, signIn } from '../../../support/oauth/oauth.ts'
import { useService } from '../../../support/service/service.ts'
import type { TestClient } from '../../../support/oauth/oauth.ts'

const service = useService()
const { database } = service
let client: TestClient
beforeAll(async () => {
  client = await createClient(database)
})

const openSignIn = (changes: Record<string, string> = {}) => beginAt(service, client, changes)
const expiredPage = [400, 'This page has expired']
const rejectedForm = [403, 'We couldn’t accept this form']
const countGrants = (userId: string) => database.prisma.oAuthGrant.count({ where: { userId } })

describe('a consent form', () => {
  test.each(['', 'A'.repeat(43), 'short'])('with the CSRF token %j is rejected', async (csrf) => {
    const user = await createPerson(database)
    const { browser, page } = await openSignIn()
    const consent = await signIn(browser, page, user)
    for (const button of ['Allow access', 'Use another account']) {
      const { action, values } = formOf(consent, button)
      values.set('csrf', csrf)
      values.set('decision', 'allow')
      expect(heading(await browser.send(consent, action, values))).toEqual(rejectedForm)
    }
    expect(await countGrants(user.id)).toBe(0)
  })

  test('with the CSRF token of another interaction or of another form of the same interaction is rejected', async () => {
    const user = await createPerson(database)
    const { browser, page } = await openSignIn()
    const consent = await signIn(browser, page, user)
    const second = await browser.open(authorizationUrl(service, client).url)
    const { action, values } = formOf(second, 'Allow access')
    const tokens = [formOf(page, 'Sign in'), formOf(consent, 'Allow access'), formOf(second, 'Use another account')].map(
      ({ values }) => values.get('csrf') ?? '',
    )
    for (const token of tokens) {
      for (const decision of ['allow', 'deny']) {
        values.set('decision', decision)
        values.set('csrf', token)
        expect(heading(await browser.send(second, action, values))).toEqual(rejectedForm)
      }
    }
    expect(
      heading(await browser.send(second, formOf(second, 'Use another account').action, new URLSearchParams({ csrf: tokens[1] ?? '' }))),
    ).toEqual(rejectedForm)
    expect(await countGrants(user.id)).toBe(0)
    expect((await browser.press(second, 'Allow access')).url.origin).toBe('https://app.example')
  })

  test('from another site is rejected even with a valid CSRF token', async () => {
    const user = await createPerson(database)
    const { browser, page } = await openSignIn()
    const { action, values } = formOf(await signIn(browser, page, user), 'Allow access')
    values.set('decision', 'allow')
    const sendWith = (headers: Record<string, string>) =>
      browser.open(new URL(action, service.url), { method: 'POST', body: values, headers })
    expect(heading(await sendWith({ origin: 'https://evil.example' }))).toEqual(rejectedForm)
    expect(heading(await sendWith({ origin: 'null' }))).toEqual(rejectedForm)
    expect(heading(await sendWith({ origin: service.url, 'sec-fetch-site': 'cross-site' }))).toEqual(rejectedForm)
    expect(await countGrants(user.id)).toBe(0)
    expect((await sendWith({ origin: service.url, 'sec-fetch-site': 'same-origin' })).url.searchParams.has('code')).toBe(true)
  })
})

describe('a signed-in user', () => {
  test('may sign in with another account, which ends the previous session', async () => {
    const [first, second] = [await createPerson(database), await createPerson(database)]
    const { browser, page } = await openSignIn({ login_hint: first.email })
    const consent = await signIn(browser, page, first)
    const before = new Map(browser.cookies)
    const again = await browser.press(consent, 'Use another account')
    expect([again.status, again.root.querySelector('h1')?.text, again.root.querySelector('[name=email]')?.getAttribute('value')]).toEqual([
      200,
      'Sign in',
      '',
    ])
    // The consent page of the first user is no longer valid.
    const other = await signIn(browser, again, second)
    expect([other.status, other.text]).toEqual([200, expect.stringContaining(`Signed in as ${second.email}`)])
    const old = new Browser(service.url)
    copyCookies({ cookies: before }, old)
    expect(heading(await old.open(authorizationUrl(service, client).url))).toEqual([200, 'Sign in'])
    expect(heading(await browser.press(consent, 'Allow access'))).toEqual(expiredPage)
    const callback = await browser.press(other, 'Allow access')
    expect([callback.url.origin, callback.url.searchParams.has('code')]).toEqual(['https://app.example', true])
    expect([await countGrants(first.id), await countGrants(second.id)]).toEqual([0, 1])
  })

  test('stays signed in until the sign-in with another account is complete', async () => {
    const user = await createPerson(database)
    const { browser, page } = await openSignIn()
    await browser.press(await signIn(browser, page, user), 'Use another account')
    expect((await browser.open(authorizationUrl(service, client).url)).text).toContain(`Signed in as ${user.email}`)
  })

  test('may sign in with another account when the client requests prompt=login', async () => {
    const [first, second] = [await createPerson(database), await createPerson(database)]
    const { browser, page } = await openSignIn()
    await signIn(browser, page, first)
    const again = await browser.open(authorizationUrl(service, client, { prompt: 'login' }).url)
    expect((await signIn(browser, again, second)).text).toContain(`Signed in as ${second.email}`)
  })

  test('may sign in with another account, and the clients of the previous session receive logout tokens even if one responds with 500', async () => {
    const { address: backchannelLogoutUri, logoutTokens } = await listenForLogout({ statusOf: (count) => (count === 1 ? 200 : 500) })
    const [first, second] = [await createPerson(database), await createPerson(database)]
    const clients = [await createClient(database, { backchannelLogoutUri }), await createClient(database, { backchannelLogoutUri })]
    const { browser, page } = await openSignIn()
    await signIn(browser, page, first)
    for (const other of clients) await browser.press(await browser.open(authorizationUrl(service, other).url), 'Allow access')
    const again = await browser.open(authorizationUrl(service, client, { prompt: 'login' }).url)
    expect((await signIn(browser, again, second)).text).toContain(`Signed in as ${second.email}`)
    const claims = logoutTokens.map((token) => decodeJwt(token))
    expect(claims.map(({ sub }) => sub)).toEqual([first.id, first.id])
    expect(new Set(claims.map(({ aud }) => aud))).toEqual(new Set(clients.map(({ clientId }) => clientId)))
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { beginAt, formOf } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { authorizationUrl, createClient, createPerson, signIn } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service
const client = await createClient(database)

const atSignIn = (changes: Record<string, string> = {}) => beginAt(service, client, changes)
/** What a page that refuses shows. */
const heading = (page: Page) => [page.status, page.root.querySelector('h1')?.text]
const expired = [400, 'This page has expired']
const refused = [403, 'This form cannot be accepted']
const countGrants = (userId: string) => database.prisma.oAuthGrant.count({ where: { userId } })

describe('a form of an interaction', () => {
  test.each(['', 'A'.repeat(43), 'short'])('with the token %j is refused', async (csrf) => {
    const person = await createPerson(database)
    const { browser, page } = await atSignIn()
    const consent = await signIn(browser, page, person)
    for (const button of ['Allow access', 'Use another account']) {
      const { action, values } = formOf(consent, button)
      values.set('csrf', csrf)
      values.set('decision', 'allow')
      expect(heading(await browser.send(consent, action, values))).toEqual(refused)
    }
    expect(await countGrants(person.id)).toBe(0)
  })

  test('with the token of another interaction, or another form of this one, is refused', async () => {
    const person = await createPerson(database)
    const { browser, page } = await atSignIn()
    const consent = await signIn(browser, page, person)
    const second = await browser.open(authorizationUrl(service, client).url)
    const { action, values } = formOf(second, 'Allow access')
    const tokens = [formOf(page, 'Sign in'), formOf(consent, 'Allow access'), formOf(second, 'Use another account')].map(
      ({ values }) => values.get('csrf') ?? '',
    )
    for (const token of tokens) {
      for (const decision of ['allow', 'deny']) {
        values.set('decision', decision)
        values.set('csrf', token)
        expect(heading(await browser.send(second, action, values))).toEqual(refused)
      }
    }
    expect(
      heading(await browser.send(second, formOf(second, 'Use another account').action, new URLSearchParams({ csrf: tokens[1] ?? '' }))),
    ).toEqual(refused)
    expect(await countGrants(person.id)).toBe(0)
    expect((await browser.press(second, 'Allow access')).url.origin).toBe('https://app.example')
  })

  test('from another site is refused, whatever it holds', async () => {
    const person = await createPerson(database)
    const { browser, page } = await atSignIn()
    const { action, values } = formOf(await signIn(browser, page, person), 'Allow access')
    values.set('decision', 'allow')
    const from = (headers: Record<string, string>) => browser.open(new URL(action, service.url), { method: 'POST', body: values, headers })
    expect(heading(await from({ origin: 'https://evil.example' }))).toEqual(refused)
    expect(heading(await from({ origin: 'null' }))).toEqual(refused)
    expect(heading(await from({ origin: service.url, 'sec-fetch-site': 'cross-site' }))).toEqual(refused)
    expect(await countGrants(person.id)).toBe(0)
    expect((await from({ origin: service.url, 'sec-fetch-site': 'same-origin' })).url.searchParams.has('code')).toBe(true)
  })
})

describe('somebody who is signed in already', () => {
  test('may sign in as somebody else, and the session before ends', async () => {
    const [first, second] = [await createPerson(database), await createPerson(database)]
    const { browser, page } = await atSignIn({ login_hint: first.email })
    const consent = await signIn(browser, page, first)
    const before = new Map(browser.cookies)
    const again = await browser.press(consent, 'Use another account')
    expect([again.status, again.root.querySelector('h1')?.text, again.root.querySelector('[name=email]')?.getAttribute('value')]).toEqual([
      200,
      'Sign in',
      '',
    ])
    // The page that the first one left open decides nothing any more.
    const other = await signIn(browser, again, second)
    expect([other.status, other.text]).toEqual([200, expect.stringContaining(`Signed in as ${second.email}`)])
    const old = new Browser(service.url)
    for (const [key, cookie] of before) old.cookies.set(key, cookie)
    expect(heading(await old.open(authorizationUrl(service, client).url))).toEqual([200, 'Sign in'])
    expect(heading(await browser.press(consent, 'Allow access'))).toEqual(expired)
    const callback = await browser.press(other, 'Allow access')
    expect([callback.url.origin, callback.url.searchParams.has('code')]).toEqual(['https://app.example', true])
    expect([await countGrants(first.id), await countGrants(second.id)]).toEqual([0, 1])
  })

  test('stays so until somebody else is', async () => {
    const person = await createPerson(database)
    const { browser, page } = await atSignIn()
    await browser.press(await signIn(browser, page, person), 'Use another account')
    expect((await browser.open(authorizationUrl(service, client).url)).text).toContain(`Signed in as ${person.email}`)
  })

  test('may sign in as somebody else where the client has them sign in again', async () => {
    const [first, second] = [await createPerson(database), await createPerson(database)]
    const { browser, page } = await atSignIn()
    await signIn(browser, page, first)
    const again = await browser.open(authorizationUrl(service, client, { prompt: 'login' }).url)
    expect((await signIn(browser, again, second)).text).toContain(`Signed in as ${second.email}`)
  })

  test('may sign in as somebody else, and clients that want to know are told, whether they answer or not', async () => {
    const told: string[] = []
    const listener = createServer((request, response) => {
      request.on('data', (body) => told.push(String(body))).on('end', () => response.writeHead(told.length === 1 ? 200 : 500).end())
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    afterAll(() => void listener.close())
    const backchannelLogoutUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/bye`
    const [first, second] = [await createPerson(database), await createPerson(database)]
    const clients = [await createClient(database, { backchannelLogoutUri }), await createClient(database, { backchannelLogoutUri })]
    const { browser, page } = await atSignIn()
    await signIn(browser, page, first)
    for (const each of clients) await browser.press(await browser.open(authorizationUrl(service, each).url), 'Allow access')
    const again = await browser.open(authorizationUrl(service, client, { prompt: 'login' }).url)
    expect((await signIn(browser, again, second)).text).toContain(`Signed in as ${second.email}`)
    const claims = told.map((body) => decodeJwt(new URLSearchParams(body).get('logout_token') ?? ''))
    expect(claims.map(({ sub }) => sub)).toEqual([first.id, first.id])
    expect(new Set(claims.map(({ aud }) => aud))).toEqual(new Set(clients.map(({ clientId }) => clientId)))
  })
})

import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, signIn } from '../support/oauth.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service

/** Somebody who is signed in and has decided about the client: where nothing is asked, there is no page. */
async function decided() {
  const client = await createClient(database)
  const person = await createPerson(database)
  const { browser } = await authorize(service, client, person)
  const open = (prompt?: string) => {
    const { url, verifier } = authorizationUrl(service, client, { prompt })
    return browser.open(url).then((page) => ({ page, verifier }))
  }
  expect((await open()).page.url.searchParams.has('code')).toBe(true)
  /** Whose account the client was given. */
  const accountOf = async (code: string | null, verifier: string) => {
    const { body } = await exchangeCode(service, client, { code: code ?? '', verifier })
    return (await request(service, 'GET', '/api/v1/user', { token: body.access_token })).body.id
  }
  return { client, person, browser, open, accountOf }
}

describe('prompt=select_account', () => {
  test('says who is signed in, and goes on with them', async () => {
    const { person, browser, open, accountOf } = await decided()
    const { page, verifier } = await open('select_account')
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`Signed in as ${person.email}`)])
    const { url } = await browser.press(page, 'Allow access')
    expect(await accountOf(url.searchParams.get('code'), verifier)).toBe(person.id)
  })

  test('goes on with another account', async () => {
    const { browser, open, accountOf } = await decided()
    const other = await createPerson(database)
    const { page, verifier } = await open('select_account')
    const consent = await signIn(browser, await browser.press(page, 'Use another account'), other)
    expect(consent.text).toContain(`Signed in as ${other.email}`)
    const { url } = await browser.press(consent, 'Allow access')
    expect(await accountOf(url.searchParams.get('code'), verifier)).toBe(other.id)
  })

  test('is asked once, and not of whoever signs in for it', async () => {
    const { client, person, browser, open } = await decided()
    const { page } = await open('consent select_account')
    expect((await browser.press(page, 'Allow access')).url.searchParams.has('code')).toBe(true)
    const anew = new Browser(service.url)
    const { url } = authorizationUrl(service, client, { prompt: 'select_account' })
    expect((await signIn(anew, await anew.open(url), person)).url.searchParams.has('code')).toBe(true)
  })

  test('is nothing that prompt=none goes with', async () => {
    const { page } = await (await decided()).open('none select_account')
    expect(page.url.searchParams.get('error')).toBe('invalid_request')
  })
})

import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { authorizationUrl, createPerson, exchangeCode, signIn } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

/** A signed-in user with a grant for the client. An authorization request without `prompt` returns a code without a page. */
async function createSession() {
  const { client, user, browser } = await connectClient(service)
  const open = (prompt?: string) => {
    const { url, verifier } = authorizationUrl(service, client, { prompt })
    return browser.open(url).then((page) => ({ page, verifier }))
  }
  expect((await open()).page.url.searchParams.has('code')).toBe(true)
  /** Exchanges the code and returns the ID of the user whose account the client can access. */
  const accountOf = async (code: string | null, verifier: string) => {
    const { body } = await exchangeCode(service, client, { code: code ?? '', verifier })
    return (await request(service, 'GET', '/api/v1/user', { token: body.access_token })).body.id
  }
  return { client, user, browser, open, accountOf }
}

describe('an authorization request with prompt=select_account', () => {
  test('shows the signed-in user and continues with this account', async () => {
    const { user, browser, open, accountOf } = await createSession()
    const { page, verifier } = await open('select_account')
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`Signed in as ${user.email}`)])
    const { url } = await browser.press(page, 'Allow access')
    expect(await accountOf(url.searchParams.get('code'), verifier)).toBe(user.id)
  })

  test('continues with another account that the user signs in to', async () => {
    const { browser, open, accountOf } = await createSession()
    const other = await createPerson(database)
    const { page, verifier } = await open('select_account')
    const consent = await signIn(browser, await browser.press(page, 'Use another account'), other)
    expect(consent.text).toContain(`Signed in as ${other.email}`)
    const { url } = await browser.press(consent, 'Allow access')
    expect(await accountOf(url.searchParams.get('code'), verifier)).toBe(other.id)
  })

  test('asks for the account once, and not if the user has just signed in for this authorization', async () => {
    const { client, user, browser, open } = await createSession()
    const { page } = await open('consent select_account')
    expect((await browser.press(page, 'Allow access')).url.searchParams.has('code')).toBe(true)
    const newBrowser = new Browser(service.url)
    const { url } = authorizationUrl(service, client, { prompt: 'select_account' })
    expect((await signIn(newBrowser, await newBrowser.open(url), user)).url.searchParams.has('code')).toBe(true)
  })

  test('returns invalid_request in combination with prompt=none', async () => {
    const { page } = await (await createSession()).open('none select_account')
    expect(page.url.searchParams.get('error')).toBe('invalid_request')
  })
})

import { describe, expect, test } from 'vitest'
import { heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { copyCookies, formOf, isSignedIn } from '../../support/oauth/authorization.ts'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { createDeviceClient } from '../../support/oauth/device.ts'
import { createPerson, post, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// The forms of oidc-provider's pages: sign-out and device.

const service = useService()
const { database } = service
const postLogoutRedirectUris = ['https://app.example/bye']

const logoutOf = (clientId: string, state?: string) =>
  `/login/oauth/logout?${new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: 'https://app.example/bye', ...(state !== undefined && { state }) })}`
const userCode = async (): Promise<string> => {
  const { body } = await post(service, '/api/oauth/device', await createDeviceClient(database), { scope: 'openid' })
  return body.user_code
}
const refusedForm = [403, 'We couldn’t accept this form']
const sendFrom = (browser: Browser, page: Page, button: string, origin: string) => {
  const { action, values } = formOf(page, button)
  return browser.open(new URL(action, page.url), { method: 'POST', body: values, headers: { origin } })
}

describe('the sign-out page', () => {
  test('opened twice signs out from either page, and from the other one afterwards', async () => {
    for (const chosen of [0, 1]) {
      const { browser } = await connectClient(service)
      const pages = [await browser.open('/login/oauth/logout'), await browser.open('/login/oauth/logout')] as const
      const signedOut = await browser.press(pages[chosen === 0 ? 0 : 1], 'Sign out')
      expect(heading(signedOut)).toEqual([200, 'You are signed out'])
      expect(await isSignedIn(service, browser)).toBe(false)
      expect(heading(await browser.press(pages[chosen === 0 ? 1 : 0], 'Sign out'))).toEqual([200, 'You are signed out'])
    }
  })

  test('returns to the address of its own request when another one was opened since', async () => {
    const { client, browser } = await connectClient(service, { postLogoutRedirectUris })
    const page = await browser.open(logoutOf(client.clientId, 'of the first page'))
    await browser.open('/login/oauth/logout')
    expect((await browser.press(page, 'Sign out')).url.href).toBe('https://app.example/bye?state=of+the+first+page')
  })

  test('keeps the session if the user chooses so on one of two pages', async () => {
    const { client, browser } = await connectClient(service, { postLogoutRedirectUris })
    const page = await browser.open(logoutOf(client.clientId))
    const other = await browser.open('/login/oauth/logout')
    expect((await browser.press(page, 'Stay signed in')).url.href).toBe('https://app.example/bye')
    expect(await isSignedIn(service, browser)).toBe(true)
    expect(heading(await browser.press(other, 'Sign out'))).toEqual([200, 'You are signed out'])
  })

  test('is refused with a changed address, from another browser, and without a token', async () => {
    const { client, browser } = await connectClient(service, { postLogoutRedirectUris })
    const { browser: stranger } = await connectClient(service)
    const page = await browser.open(logoutOf(client.clientId))
    const { action, values } = formOf(page, 'Sign out')
    for (const changed of [
      action.replace('bye', 'evil'),
      action.replace(encodeURIComponent('https://app.example/bye'), encodeURIComponent('https://evil.example/')),
      action.split('?')[0] ?? '',
    ]) {
      expect(changed).not.toBe(action)
      expect([changed, ...heading(await browser.send(page, changed, values))]).toEqual([changed, ...refusedForm])
    }
    expect(heading(await stranger.send(page, action, values))).toEqual(refusedForm)
    values.delete('xsrf')
    expect(heading(await browser.send(page, action, values))).toEqual(refusedForm)
    expect([await isSignedIn(service, browser), await isSignedIn(service, stranger)]).toEqual([true, true])
  })

  test('is refused from a page of another origin, even with the right token', async () => {
    const { browser } = await connectClient(service)
    const page = await browser.open('/login/oauth/logout')
    for (const origin of ['https://evil.example', 'null'])
      expect(heading(await sendFrom(browser, page, 'Sign out', origin))).toEqual(refusedForm)
    expect(await isSignedIn(service, browser)).toBe(true)
  })
})

describe('the device page', () => {
  test('opened twice accepts a code on both pages', async () => {
    const browser = new Browser(service.url)
    const forms = [await browser.open('/login/device'), await browser.open('/login/device')]
    const user = await createPerson(database)
    const consents = []
    for (const form of forms) {
      const next = await browser.press(form, 'Continue', { Code: await userCode() })
      consents.push(next.text.includes('Password') ? await signIn(browser, next, user) : next)
    }
    for (const consent of consents) expect(heading(await browser.press(consent, 'Allow access'))).toEqual([200, 'Device connected'])
  })

  test('opened before the user signed in elsewhere in the browser is accepted', async () => {
    const browser = new Browser(service.url)
    const form = await browser.open('/login/device')
    await signIn(browser, await browser.open('/sign-in'), await createPerson(database))
    expect(heading(await browser.press(form, 'Continue', { Code: await userCode() }))).toEqual([200, 'Allow TV to access your account?'])
  })

  test('keeps the code when it is refused, which it is from another browser and without a token', async () => {
    const [browser, stranger] = [new Browser(service.url), new Browser(service.url)]
    const form = await browser.open('/login/device')
    await stranger.open('/login/device')
    const code = await userCode()
    const { action, values } = formOf(form, 'Continue')
    values.set('user_code', code)
    const expectRefused = (page: Page) => {
      expect([page.status, page.root.querySelector('[role=alert]')?.text]).toEqual([400, 'This page expired. Enter the code again.'])
      expect(page.root.querySelector('input[name=user_code]')?.getAttribute('value')).toBe(code)
    }
    expectRefused(await stranger.send(form, action, values))
    values.delete('xsrf')
    expectRefused(await browser.send(form, action, values))
    copyCookies(browser, stranger)
    expect(heading(await stranger.press(form, 'Continue', { Code: code }))).toEqual([200, 'Sign in'])
  })

  test('is refused from a page of another origin, even with the right token', async () => {
    const browser = new Browser(service.url)
    const page = await browser.open('/login/device')
    expect(heading(await sendFrom(browser, page, 'Continue', 'https://evil.example'))).toEqual(refusedForm)
  })
})

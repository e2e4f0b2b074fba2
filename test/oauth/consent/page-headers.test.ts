import { describe, expect, test } from 'vitest'
import { heading } from '../../support/account-site/page-content.ts'
import { beginAt, isSignedIn } from '../../support/oauth/authorization.ts'
import { createClient, createPerson, signIn } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const begin = (client: TestClient) => beginAt(service, client, { scope: 'openid teams' })

describe('each page of the authorization server', () => {
  test('forbids framing, runs only script files of the service and sends no referrer to other origins', async () => {
    const user = await createPerson(database)
    const client = await createClient(database)
    const { browser, page } = await begin(client)
    const consent = await signIn(browser, page, user)
    const pages = [
      page,
      consent,
      await browser.open('/login/device'),
      await browser.open('/login/oauth/logout'),
      await browser.open('/login/oauth/authorize'),
    ]
    expect(pages.map(heading)).toEqual([
      [200, 'Sign in'],
      [200, 'Allow Example App to access your account?'],
      [200, 'Connect a device'],
      [200, 'Sign out?'],
      [400, 'We can’t process this request'],
    ])
    for (const { url, headers, root } of pages) {
      const policy = headers.get('content-security-policy') ?? ''
      expect([url.pathname, policy]).toEqual([url.pathname, expect.stringContaining("frame-ancestors 'none'")])
      expect(policy).not.toContain('unsafe-inline')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['same-origin', 'no-store'])
      expect(root.querySelectorAll('style, [style], [onload], [onclick]')).toEqual([])
      for (const script of root.querySelectorAll('script'))
        expect([script.getAttribute('src'), script.text]).toEqual([expect.stringMatching(/^\/assets\/[\w.-]+\.js$/), ''])
    }
  })
})

describe('signing out at the request of a client', () => {
  test('redirects only to a registered post_logout_redirect_uri and only after the user confirms', async () => {
    const user = await createPerson(database)
    const client = await createClient(database, { postLogoutRedirectUris: ['https://app.example/bye'] })
    const { browser, page } = await begin(client)
    await browser.press(await signIn(browser, page, user), 'Allow access')
    const logoutPath = (target: string) =>
      `/login/oauth/logout?client_id=${client.clientId}&post_logout_redirect_uri=${encodeURIComponent(target)}`
    for (const target of ['https://evil.example/', 'https://app.example/bye/', '//evil.example', 'javascript:alert(1)']) {
      const rejected = await browser.open(logoutPath(target))
      expect([rejected.status, rejected.url.origin]).toEqual([400, service.url])
    }
    const unknown = await browser.open(`/login/oauth/logout?post_logout_redirect_uri=${encodeURIComponent('https://evil.example/')}`)
    const signedOut = await browser.press(unknown, 'Sign out')
    expect([signedOut.url.origin, ...heading(signedOut)]).toEqual([service.url, 200, 'You are signed out'])
    const again = await begin(client)
    // The grant remains, so the authorization shows no consent page.
    expect((await signIn(again.browser, again.page, user)).url.searchParams.has('code')).toBe(true)
    const confirmation = await again.browser.open(logoutPath('https://app.example/bye'))
    expect(await isSignedIn(service, again.browser)).toBe(true)
    expect((await again.browser.press(await again.browser.open(logoutPath('https://app.example/bye')), 'Sign out')).url.href).toBe(
      'https://app.example/bye',
    )
    expect(confirmation.status).toBe(200)
    expect(await isSignedIn(service, again.browser)).toBe(false)
  })
})

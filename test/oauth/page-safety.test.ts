import { describe, expect, test } from 'vitest'
import { heading } from '../account-site/shown.ts'
import { beginAt, isSignedIn } from '../support/authorization.ts'
import { createClient, createPerson, signIn } from '../support/oauth.ts'
import type { TestClient } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service
const begin = (client: TestClient) => beginAt(service, client, { scope: 'openid teams' })

describe('every page of the way', () => {
  test('can be framed by nobody, runs no script but files of ours and sends no referrer', async () => {
    const person = await createPerson(database)
    const client = await createClient(database)
    const { browser, page } = await begin(client)
    const consent = await signIn(browser, page, person)
    const pages = [
      page,
      consent,
      await browser.open('/login/device'),
      await browser.open('/login/oauth/logout'),
      await browser.open('/login/oauth/authorize'),
    ]
    expect(pages.map(heading)).toEqual([
      [200, 'Sign in'],
      [200, 'Allow access?'],
      [200, 'Connect a device'],
      [200, 'Sign out?'],
      [400, 'This does not work'],
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
  test('goes where it is registered alone, and only after the person said so', async () => {
    const person = await createPerson(database)
    const client = await createClient(database, { postLogoutRedirectUris: ['https://app.example/bye'] })
    const { browser, page } = await begin(client)
    await browser.press(await signIn(browser, page, person), 'Allow access')
    const at = (target: string) => `/login/oauth/logout?client_id=${client.clientId}&post_logout_redirect_uri=${encodeURIComponent(target)}`
    for (const target of ['https://evil.example/', 'https://app.example/bye/', '//evil.example', 'javascript:alert(1)']) {
      const refused = await browser.open(at(target))
      expect([refused.status, refused.url.origin]).toEqual([400, service.url])
    }
    const unknown = await browser.open(`/login/oauth/logout?post_logout_redirect_uri=${encodeURIComponent('https://evil.example/')}`)
    const stayed = await browser.press(unknown, 'Sign out')
    expect([stayed.url.origin, ...heading(stayed)]).toEqual([service.url, 200, 'You are signed out'])
    const again = await begin(client)
    // What was allowed before is not asked about again.
    expect((await signIn(again.browser, again.page, person)).url.searchParams.has('code')).toBe(true)
    const asked = await again.browser.open(at('https://app.example/bye'))
    expect(await isSignedIn(service, again.browser)).toBe(true)
    expect((await again.browser.press(await again.browser.open(at('https://app.example/bye')), 'Sign out')).url.href).toBe(
      'https://app.example/bye',
    )
    expect(asked.status).toBe(200)
    expect(await isSignedIn(service, again.browser)).toBe(false)
  })
})

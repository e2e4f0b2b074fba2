import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab, signInAt } from '../../support/browser/tab.ts'
import type { Tab } from '../../support/browser/tab.ts'
import { enableTotp } from '../../support/data/second-factor.ts'
import { totpCode } from '../../support/data/totp.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { listenAtFreePort } from '../../support/oauth/listen.ts'
import { authorizationUrl, createClient, createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Chromium applies `form-action` to every redirect that follows a form, those of other origins included.

const service = useService()
const { database } = service
const browser = useChromium()

/** A client whose callback, and whose page after sign-out, redirect to its dashboard on another origin. */
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
  if (pathname === '/dashboard') return void response.setHeader('Content-Type', 'text/html').end('<title>Dashboard</title>')
  const result = searchParams.has('code') ? 'code' : (searchParams.get('error') ?? 'none')
  response.writeHead(302, { Location: `http://localhost:${request.socket.localPort}/dashboard?from=${pathname}&result=${result}` }).end()
})
let origin = ''
beforeAll(async () => void (origin = await listenAtFreePort(server)))
afterAll(() => void server.close())

const begin = async (options: { javaScriptEnabled?: boolean } = {}) => {
  const user = await createPerson(database)
  const client = await createClient(database, {
    redirectUris: [`${origin}/callback`],
    postLogoutRedirectUris: [`${origin}/bye`],
    optionalScopes: [],
  })
  const { url } = authorizationUrl(service, client, { scope: 'openid' })
  return { user, client, url: url.href, tab: await openTab(browser, service, options) }
}

const press = ({ page }: Tab, name: string) => page.getByRole('button', { name, exact: true }).click()

async function submitSignIn(tab: Tab, email: string) {
  await tab.page.getByLabel('Email address').fill(email)
  await tab.page.getByLabel('Password').fill(password)
  await press(tab, 'Sign in')
}

async function expectDashboard({ page }: Tab, from: string, result: string) {
  await page.waitForURL((url) => url.pathname === '/dashboard')
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ from, result })
}

describe('a callback that redirects to another origin is reached in Chromium', () => {
  test.each([
    ['Allow access', 'code', true],
    ['Deny', 'access_denied', true],
    ['Allow access', 'code', false],
  ])('after %s, which responds with %s (JavaScript: %s)', async (button, result, javaScriptEnabled) => {
    const { user, url, tab } = await begin({ javaScriptEnabled })
    await tab.page.goto(url)
    await submitSignIn(tab, user.email)
    await press(tab, button)
    await expectDashboard(tab, '/callback', result)
  })

  test('after signing in, if the consent was given before', async () => {
    const { user, url, tab } = await begin()
    await tab.page.goto(url)
    await submitSignIn(tab, user.email)
    await press(tab, 'Allow access')
    await expectDashboard(tab, '/callback', 'code')
    await tab.page.context().clearCookies()
    await tab.page.goto(url)
    await submitSignIn(tab, user.email)
    await expectDashboard(tab, '/callback', 'code')
  })

  test('after the second factor, if the consent was given before', async () => {
    const { user, url, tab } = await begin()
    await signInAt(tab, service, user.email)
    await tab.page.goto(url)
    await press(tab, 'Allow access')
    await expectDashboard(tab, '/callback', 'code')
    const { secret } = await enableTotp({
      service,
      principal: { ...(await sessionOf(service, user)), authenticatedAt: service.clock.now() },
    })
    await tab.page.context().clearCookies()
    await tab.page.goto(url)
    await submitSignIn(tab, user.email)
    service.clock.advance(30_000)
    await tab.page.getByLabel('Code', { exact: true }).fill(totpCode(secret, service.clock.now()))
    await press(tab, 'Continue')
    await expectDashboard(tab, '/callback', 'code')
  })

  test('after signing out', async () => {
    const { user, client, tab } = await begin()
    await signInAt(tab, service, user.email)
    const back = encodeURIComponent(`${origin}/bye`)
    await tab.page.goto(`${service.url}/login/oauth/logout?client_id=${client.clientId}&post_logout_redirect_uri=${back}`)
    await press(tab, 'Sign out')
    await expectDashboard(tab, '/bye', 'none')
  })
})

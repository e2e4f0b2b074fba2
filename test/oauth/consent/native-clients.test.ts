import { describe, expect, test } from 'vitest'
import { connectClient } from '../../support/oauth/clients/connect-client.ts'
import { authorizationUrl } from '../../support/oauth/oauth.ts'
import type { ClientOptions } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Any app on the user's device can pretend to be a public client with a loopback or private-use redirect URI, so such a client
// never receives a code without a page (RFC 8252 §8.6).

const service = useService()

/** Connects a client and returns a function that sends another authorization request in the same browser. */
async function connected(options: ClientOptions) {
  const { client, browser } = await connectClient(service, options)
  return async (changes: Record<string, string> = {}) => {
    const page = await browser.open(authorizationUrl(service, client, changes).url)
    const { searchParams } = page.url
    return {
      page,
      browser,
      outcome: searchParams.get('error') ?? (searchParams.has('code') ? 'code' : page.root.querySelector('h1')?.text),
    }
  }
}

const loopback = { confidential: false, redirectUris: ['http://127.0.0.1/callback'] }
const loopbackV6 = { confidential: false, redirectUris: ['http://[::1]/callback'] }
const localhost = { confidential: false, redirectUris: ['http://localhost/callback'] }
const privateUse = { confidential: false, redirectUris: ['com.example.app:/callback'] }

describe.each([
  ['http://127.0.0.1', loopback, ['http://127.0.0.1/callback', 'http://127.0.0.1:49152/callback', 'http://127.0.0.1:49153/callback']],
  ['http://[::1]', loopbackV6, ['http://[::1]/callback', 'http://[::1]:49152/callback']],
  ['http://localhost', localhost, ['http://localhost/callback', 'http://localhost:49152/callback']],
  ['a private-use scheme', privateUse, ['com.example.app:/callback']],
])('a public client with a redirect URI of %s that was granted everything', (_, options, redirectUris) => {
  test('sees a page again, and consent_required with prompt=none', async () => {
    const open = await connected(options)
    for (const redirect_uri of redirectUris) {
      expect((await open({ redirect_uri, prompt: 'none' })).outcome).toBe('consent_required')
      const { page, browser, outcome } = await open({ redirect_uri })
      expect(outcome).toBe('Allow Example App to access your account?')
      const { url } = await browser.press(page, 'Allow access')
      expect([url.href.split('?')[0], url.searchParams.has('code')]).toEqual([redirect_uri, true])
    }
  })

  test('sees the page also where a team was chosen before', async () => {
    const open = await connected({ ...options, team: 'optional' })
    expect((await open({ prompt: 'none' })).outcome).toBe('consent_required')
    expect((await open()).outcome).toBe('Allow Example App to access your account?')
  })
})

test.each([
  ['a public client with an https redirect URI', { confidential: false }],
  ['a confidential client with a loopback redirect URI', { redirectUris: ['http://127.0.0.1/callback'] }],
])('%s that was granted everything receives a code without a page', async (_, options) => {
  const open = await connected(options)
  expect([(await open()).outcome, (await open({ prompt: 'none' })).outcome]).toEqual(['code', 'code'])
})

test('a public client with both kinds of redirect URIs sees a page for the one on the device only', async () => {
  const open = await connected({ confidential: false, redirectUris: ['https://app.example/callback', 'http://127.0.0.1/callback'] })
  expect((await open({ prompt: 'none' })).outcome).toBe('code')
  expect((await open({ prompt: 'none', redirect_uri: 'http://127.0.0.1:5000/callback' })).outcome).toBe('consent_required')
})

test('a public native client without a session receives login_required with prompt=none', async () => {
  const { client, browser } = await connectClient(service, loopback)
  browser.cookies.clear()
  const { url } = await browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
  expect(url.searchParams.get('error')).toBe('login_required')
})

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

describe('an authorization response with response_mode=form_post', () => {
  test('is a page with one script and one form for the redirect URI, which cannot be framed or cached', async () => {
    const client = await createClient(database)
    const user = await createPerson(database)
    const { browser } = await authorize(service, client, user)
    const { url, verifier, state } = authorizationUrl(service, client, { response_mode: 'form_post' })
    const page = await browser.open(url)
    const scripts = page.root.querySelectorAll('script').map((script) => script.innerHTML)
    expect(scripts.length).toBe(1)
    const hash = createHash('sha256')
      .update(scripts[0] ?? '')
      .digest('base64')
    const names = ['content-security-policy', 'x-frame-options', 'referrer-policy', 'x-content-type-options', 'cache-control']
    expect([page.status, ...names.map((name) => page.headers.get(name))]).toEqual([
      200,
      `default-src 'none'; script-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'`,
      'DENY',
      'same-origin',
      'nosniff',
      'no-store',
    ])
    expect(page.root.querySelectorAll('[onload], [onclick], [style], style, link').length).toBe(0)
    const form = page.root.querySelector('form')
    expect([form?.getAttribute('method'), form?.getAttribute('action')]).toEqual(['post', client.redirectUri])
    const fields = Object.fromEntries(
      page.root.querySelectorAll('input[name]').map((input) => [input.getAttribute('name'), input.getAttribute('value')]),
    )
    expect(fields).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state, iss: service.url })
    expect((await exchangeCode(service, client, { code: fields['code'] ?? '', verifier })).status).toBe(200)
  })

  test('has a submit button for browsers without JavaScript', async () => {
    const client = await createClient(database)
    const page = await new Browser(service.url).open(authorizationUrl(service, client, { response_mode: 'form_post', prompt: 'none' }).url)
    const fields = page.root.querySelectorAll('input[name]').map((input) => [input.getAttribute('name'), input.getAttribute('value')])
    expect(Object.fromEntries(fields)).toMatchObject({ error: 'login_required', iss: service.url })
    expect(page.root.querySelector('noscript')?.innerHTML).toContain('<button')
  })

  test('escapes the value of state in the page', async () => {
    const client = await createClient(database)
    const state = '"><script>alert(1)</script>'
    const { url } = authorizationUrl(service, client, { response_mode: 'form_post', prompt: 'none', state })
    const page = await new Browser(service.url).open(url)
    expect(page.root.querySelectorAll('script').length).toBe(1)
    expect(page.root.querySelector('input[name=state]')?.getAttribute('value')).toBe(state)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownAddress } from '../../../src/web/return-address.ts'
import { formOf } from '../../support/oauth/authorization.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { enter, heading } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, url } = service

describe('the return address after signing in', () => {
  const allowed = ['/security', '/security?x=1&y=%2F%2Fevil.example', '/teams/acme/members?page=2']
  const disallowed = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '///evil.example',
    '/\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://evil.example',
    'HTTPS:evil.example',
    'https:/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    '/x/..//evil.example',
    '/.\\/evil.example',
    '/..\\\\evil.example',
    ' //evil.example',
    '\0//evil.example',
    '/ /../..//evil.example',
    '/@evil.example/..//evil.example',
    '',
    '?x',
    '#x',
    '.',
    '..',
    `${url}@evil.example`,
    `${url}.evil.example/`,
    `//${new URL(url).host}@evil.example`,
    '/%2F/..//evil.example',
  ]

  test.each(allowed)('is %s, which is on our own origin', async (address) => {
    expect(ownAddress(address, url)).toBe(address)
    const page = await enter(new Browser(url), await createPerson(database), address)
    expect(page.url.href).toBe(url + address)
  })

  /** Signs in with this return address and returns the Location header field of the response. */
  async function readLocationAfterSignIn(returnTo: string, source: 'by a link' | 'by the form'): Promise<string | null> {
    const browser = new Browser(url)
    const path = `/sign-in?${new URLSearchParams({ return_to: returnTo })}`
    const { action, values } = formOf(await browser.open(source === 'by a link' ? path : '/sign-in'), 'Sign in')
    values.set('email', (await createPerson(database)).email)
    values.set('password', password)
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const headers = { cookie, origin: url }
    const response = await fetch(url + (source === 'by a link' ? action : path), {
      method: 'POST',
      body: values,
      headers,
      redirect: 'manual',
    })
    expect([returnTo, response.status]).toEqual([returnTo, 303])
    return response.headers.get('location')
  }

  test.each(disallowed)('is never %j, which is not a path on our own origin', async (address) => {
    for (const source of ['by a link', 'by the form'] as const) {
      const location = (await readLocationAfterSignIn(address, source)) ?? ''
      expect([source, location, new URL(location, `${url}/sign-in`).origin]).toEqual([source, location, url])
      expect(location).toMatch(/^\/(?![/\\])/)
    }
  })

  test('is a path on our own origin for any input', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2F',
      '%5C',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      'https:',
      '\t',
      '\n',
      ' ',
      'x',
    )
    const address = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'grapheme' }).map((text) => `/${text}`),
    )
    fc.assert(
      fc.property(address, (input) => {
        const result = ownAddress(input, url)
        expect(result).toMatch(/^\/(?![/\\])/)
        expect(new URL(result, url).origin).toBe(url)
        // The function is idempotent: every step of the sign-in applies it to the address again.
        expect(ownAddress(result, url)).toBe(result)
      }),
      { numRuns: 5000 },
    )
  })

  test('is opened at once for a user who is signed in, or the page of the teams without one', async () => {
    const browser = new Browser(url)
    await enter(browser, await createPerson(database))
    expect((await browser.open('/sign-in')).url.pathname).toBe('/account/teams')
    expect((await browser.open('/sign-in?return_to=/security?x=1')).url.href).toBe(`${url}/security?x=1`)
    expect(heading(await browser.open('/sign-in?return_to=/security&another=1'))).toEqual([200, 'Sign in'])
  })
})

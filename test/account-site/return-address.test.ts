import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownAddress } from '../../src/account-site/addresses.ts'
import { formOf } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import { createPerson, password } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { enter, heading } from './shown.ts'

const service = await startService()
const { database, url } = service

describe('the address to come back to', () => {
  const own = ['/security', '/security?x=1&y=%2F%2Fevil.example', '/teams/acme/members?page=2']
  const foreign = [
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

  test.each(own)('is %s where it is ours', async (address) => {
    expect(ownAddress(address, url)).toBe(address)
    const end = await enter(new Browser(url), await createPerson(database), address)
    expect(end.url.href).toBe(url + address)
  })

  /** Where signing in led, as the browser was told. */
  async function locationAfter(returnTo: string, asked: 'by a link' | 'by the form'): Promise<string | null> {
    const browser = new Browser(url)
    const path = `/sign-in?${new URLSearchParams({ return_to: returnTo })}`
    const { action, values } = formOf(await browser.open(asked === 'by a link' ? path : '/sign-in'), 'Sign in')
    values.set('email', (await createPerson(database)).email)
    values.set('password', password)
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
    const headers = { cookie, origin: url }
    const answer = await fetch(url + (asked === 'by a link' ? action : path), { method: 'POST', body: values, headers, redirect: 'manual' })
    expect([returnTo, answer.status]).toEqual([returnTo, 303])
    return answer.headers.get('location')
  }

  test.each(foreign)('is never %j', async (address) => {
    for (const asked of ['by a link', 'by the form'] as const) {
      const location = (await locationAfter(address, asked)) ?? ''
      expect([asked, location, new URL(location, `${url}/sign-in`).origin]).toEqual([asked, location, url])
      expect(location).toMatch(/^\/(?![/\\])/)
    }
  })

  test('is ours, whatever is asked for', () => {
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
      fc.property(address, (asked) => {
        const led = ownAddress(asked, url)
        expect(led).toMatch(/^\/(?![/\\])/)
        expect(new URL(led, url).origin).toBe(url)
        // Nor does it change when it is asked for again, as from the sign-in page to the password.
        expect(ownAddress(led, url)).toBe(led)
      }),
      { numRuns: 5000 },
    )
  })

  test('is the start page for who is signed in and was not sent', async () => {
    const browser = new Browser(url)
    await enter(browser, await createPerson(database))
    expect((await browser.open('/sign-in')).url.pathname).toBe('/account')
    expect(heading(await browser.open('/sign-in?return_to=/security'))).toEqual([200, 'Sign in'])
  })
})

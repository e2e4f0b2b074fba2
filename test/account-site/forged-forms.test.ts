import { describe, expect, test } from 'vitest'
import { formOf } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { travel } from '../support/clock.ts'
import { createPerson, password } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createSession } from '../support/session-row.ts'
import { enter, heading, noticeOf, signedIn } from './shown.ts'

const service = await startService()
const { database, url } = service
const { prisma } = database

/** A person with a session elsewhere, at the page whose form ends it. */
async function atForm() {
  const { user, browser } = await signedIn(service)
  await createSession(database, user)
  const page = await browser.open('/security')
  return { user, browser, page, ...formOf(page, 'Sign out all others') }
}
const sessions = (user: { id: string }) => prisma.session.count({ where: { userId: user.id } })
const sealOf = (page: Page, button: string) => formOf(page, button).values.get('csrf') ?? ''

const expired =
  'This form has expired It was left open for too long, or somebody signed in or out, or opened another link, meanwhile. Nothing was changed. ' +
  'Send it once more from the page as it is now. Load the page again'
/** What a page that is none of a frame says, whole. */
const said = ({ status, root }: Page) => [
  status,
  root
    .querySelectorAll('main > *')
    .map(({ text }) => text)
    .join(' '),
]

describe('a form', () => {
  test('as the page has it does what it says', async () => {
    const { user, browser, page } = await atForm()
    expect(noticeOf(await browser.press(page, 'Sign out all others'))).toEqual([200, 'All other browsers were signed out.'])
    expect(await sessions(user)).toBe(1)
  })

  test('without its seal, or with that of another one, changes nothing', async () => {
    const { user, browser, page, action, values } = await atForm()
    const other = await atForm()
    const sameElsewhere = new Browser(url)
    const elsewhere = await enter(sameElsewhere, user)
    const visitor = new Browser(url)
    const seals = {
      missing: null,
      empty: '',
      'made up': 'A'.repeat(43),
      'cut off': values.get('csrf')?.slice(0, -1) ?? '',
      'of another form of the page': sealOf(page, 'Sign out'),
      'of another person': other.values.get('csrf') ?? '',
      'of another browser of the same person': sealOf(elsewhere, 'Sign out all others'),
      'of nobody': sealOf(await visitor.open('/sign-in'), 'Sign in'),
    }
    const before = await sessions(user)
    for (const [which, seal] of Object.entries(seals)) {
      if (seal === null) values.delete('csrf')
      else values.set('csrf', seal)
      expect([which, ...said(await browser.send(page, action, values))]).toEqual([which, 403, expired])
    }
    // Twice: which one counts is not to be guessed.
    values.append('csrf', sealOf(page, 'Sign out all others'))
    expect(said(await browser.send(page, action, values))).toEqual([403, expired])
    expect(await sessions(user)).toBe(before)
  })

  test('that has expired leads to its page as it is now', async () => {
    const { browser, page, action } = await atForm()
    const refused = await browser.send(page, action, new URLSearchParams({ form: 'revoke-others', csrf: 'x' }))
    const again = await browser.open(refused.root.querySelector('main a')?.getAttribute('href') ?? '')
    expect(noticeOf(await browser.press(again, 'Sign out all others'))).toEqual([200, 'All other browsers were signed out.'])
  })

  test('with the seal of the same form of another page changes nothing', async () => {
    const { user, browser, page } = await atForm()
    const { values } = formOf(page, 'Sign out')
    expect(said(await browser.send(page, '/security/passkeys/new', values))).toEqual([403, expired])
    expect((await browser.open('/security')).text).toContain(user.name)
  })

  test.each(['', 'no-such', 'sign-in', 'constructor', '__proto__', 'toString'])('of no page (%j) changes nothing', async (name) => {
    const { user, browser, page, action, values } = await atForm()
    values.set('form', name)
    expect(said(await browser.send(page, action, values))).toEqual([403, expired])
    expect(await sessions(user)).toBe(2)
  })

  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'null' }],
    [{ origin: url, 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ origin: `${url}.evil.example`, 'sec-fetch-site': 'same-site' }],
  ] as Record<string, string>[][])('sent from elsewhere (%j) changes nothing, whatever it holds', async (headers) => {
    const { user, browser, action, values } = await atForm()
    const answer = await browser.open(action, { method: 'POST', body: values, headers })
    expect([...said(answer), await sessions(user)]).toEqual([403, expired, 2])
  })

  test('of the person before changes nothing for who has signed in since in the same browser', async () => {
    const { user, browser, page, action, values } = await atForm()
    const second = await createPerson(database)
    await enter(browser, second)
    await createSession(database, second)
    expect(said(await browser.send(page, action, values))).toEqual([403, expired])
    // The session of the first has ended with the sign-in of the second; the one elsewhere has not.
    expect([await sessions(user), await sessions(second)]).toEqual([1, 2])
  })

  test('of a session that is over leads to signing in, and back to the page', async () => {
    const { user, browser, page } = await atForm()
    travel(15 * 86_400_000)
    const asked = await browser.press(page, 'Sign out all others')
    expect([heading(asked), asked.url.search]).toEqual([[200, 'Sign in'], '?return_to=%2Fsecurity'])
    expect(await sessions(user)).toBe(2)
  })
})

describe('the sign-in form', () => {
  test('of an attacker signs nobody in as the attacker', async () => {
    const attacker = await createPerson(database)
    const own = new Browser(url)
    const { action, values } = formOf(await own.open('/sign-in'), 'Sign in')
    values.set('email', attacker.email)
    values.set('password', password)
    const victim = new Browser(url)
    const page = await victim.open('/sign-in')
    expect(said(await victim.send(page, action, values))).toEqual([403, expired])
    const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(said(await victim.open(action, { method: 'POST', body: values, headers: crossSite }))).toEqual([403, expired])
    // Nor does one of the victim's own page, if it comes from elsewhere.
    values.set('csrf', sealOf(page, 'Sign in'))
    expect(said(await victim.open(action, { method: 'POST', body: values, headers: crossSite }))).toEqual([403, expired])
    expect(await sessions(attacker)).toBe(0)
  })
})

describe('what is no form', () => {
  const unreadable = 'This form cannot be read Nothing was changed. Go back and start again.'
  test.each([
    ['application/json', '{"form":"revoke-others"}', 403, expired],
    ['text/plain', 'form=revoke-others', 403, expired],
    ['multipart/form-data; boundary=x', '--x--', 403, expired],
    ['application/x-www-form-urlencoded', '', 403, expired],
    ['application/x-www-form-urlencoded', 'form=a&form=b&csrf[x]=c&__proto__=1', 403, expired],
    ['application/x-www-form-urlencoded; charset=koi8-r', 'form=x', 415, unreadable],
    ['application/x-www-form-urlencoded', `form=${'x'.repeat(70_000)}`, 413, unreadable],
    ['application/x-www-form-urlencoded', 'a=1&'.repeat(1001), 413, unreadable],
  ])('(%s %.30s) is refused by a page', async (type, body, status, text) => {
    const { user, browser } = await atForm()
    const answer = await browser.open('/security', { method: 'POST', headers: { origin: url, 'content-type': type }, body })
    expect([...said(answer), await sessions(user)]).toEqual([status, text, 2])
  })
})

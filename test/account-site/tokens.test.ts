import { describe, expect, test } from 'vitest'
import type { Browser, Page } from '../support/browser.ts'
import { createPerson, password } from '../support/oauth.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { alertOf, contentOf, heading, noticeOf, openAs, valuesOf } from './shown.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database
const day = 86_400_000
const nothingHere = [404, 'There is nothing here']

/** A person at the page that makes tokens. */
async function atNew() {
  const person = await createPerson(database)
  return { person, ...(await openAs(service, person, '/tokens/new')) }
}
const usual = { Name: 'Backup script', scopes: ['teams', 'flow:rules:read'], expiresAt: '30' }
const valueOf = ({ root }: Page) => root.querySelector('#value')?.text.trim() ?? ''
const account = (token: string) => request(service, 'GET', '/api/v1/user', { token })
const tokensOf = (userId: string) => prisma.accessToken.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } })

/** A person with a token, and its value. */
async function withToken(choices: Record<string, string | readonly string[]> = {}) {
  const { person, browser, page } = await atNew()
  const value = valueOf(await browser.press(page, 'Create token', { ...usual, ...choices }))
  const [token] = await tokensOf(person.id)
  if (!token) throw new Error('no token was made')
  return { person, browser, value, token, path: `/tokens/${token.id}` }
}
/** The form that an answer was for, sent again as a browser does that reloads the page. */
const sendAgain = (browser: Browser, page: Page, button: string, fields: Record<string, string | readonly string[]>) =>
  browser.press(page, button, fields)

describe('a personal token', () => {
  test('is made with what was chosen; its value is shown once, in no address, and opens what it may', async () => {
    const { person, browser, page } = await atNew()
    const made = await browser.press(page, 'Create token', usual)
    const value = valueOf(made)
    expect([made.url.pathname + made.url.search, ...heading(made)]).toEqual(['/tokens/new', 200, 'Copy the token now'])
    expect(value).toMatch(/^pat_[0-9A-Za-z]{36}$/)
    expect(made.headers.get('cache-control')).toBe('no-store')
    expect(contentOf(made)).toBe(
      `Copy the token now This is the value of Backup script . Whoever has it may do what the token may: keep it where you keep passwords. ${value} Copy It is shown this once and never again. Reloading this page would send the form again: that creates nothing and shows no value. I have kept it: back to the tokens`,
    )
    const { status, body } = await account(value)
    expect([status, body.id, body.scopes]).toEqual([200, person.id, ['teams', 'flow:rules:read']])
    expect(Math.abs(new Date(body.expires_at).getTime() - clock.now().getTime() - 30 * day)).toBeLessThan(60_000)

    const list = await browser.open('/tokens')
    expect(list.text).not.toContain(value)
    expect(contentOf(list)).toMatch(
      new RegExp(
        `^Personal tokens .* Create a personal token Backup script Works This token may: see your teams and their names see what rules can be made of Value pat_…${value.slice(-4)} Created .* UTC Last used .* Expires .* UTC Replace or revoke Backup script$`,
      ),
    )
  })

  test('is not made again by sending the form again, as reloading does', async () => {
    const { person, browser, page } = await atNew()
    const value = valueOf(await browser.press(page, 'Create token', usual))
    const again = await sendAgain(browser, page, 'Create token', usual)
    const message = 'This was sent before: the token exists already, and its value is not shown again.'
    expect([...alertOf(again), valueOf(again)]).toEqual([422, message, ''])
    expect(again.root.toString()).not.toContain(value)
    expect(await tokensOf(person.id)).toHaveLength(1)
    // The form that came with the refusal is a fresh one.
    expect(heading(await browser.press(again, 'Create token', usual))).toEqual([200, 'Copy the token now'])
    expect(await tokensOf(person.id)).toHaveLength(2)
  })

  test.each([
    ['7', 7],
    ['90', 90],
    ['365', 365],
  ])('lives for %s days where that is chosen', async (expiresAt, days) => {
    const { token } = await withToken({ expiresAt })
    expect(Math.abs((token.expiresAt?.getTime() ?? 0) - token.createdAt.getTime() - days * day)).toBeLessThan(60_000)
  })

  test('lives to the end of a chosen day, a year ahead at most', async () => {
    const chosen = new Date(clock.now().getTime() + 3 * day).toISOString().slice(0, 10)
    expect((await withToken({ expiresAt: 'date', day: chosen })).token.expiresAt).toEqual(new Date(`${chosen}T23:59:59.999Z`))
    const { browser, page } = await atNew()
    const last = page.root.querySelector('input[name=day]')?.getAttribute('max') ?? ''
    expect(heading(await browser.press(page, 'Create token', { ...usual, expiresAt: 'date', day: last }))[0]).toBe(200)
  })

  test.each([
    [{ Name: ' ' }, 'The name field is required.', 'field-name'],
    [{ Name: 'x'.repeat(256) }, 'The name field must not be greater than 255 characters.', 'field-name'],
    [{ Name: 'a\0b' }, 'The name field contains characters that cannot be stored.', 'field-name'],
    [{ scopes: [] }, 'The scopes field must have at least 1 items.', 'scopes-account'],
    [{ scopes: ['openid'] }, 'The selected scopes.0 is invalid.', null],
    [{ expiresAt: 'date', day: '' }, 'Choose a day.', 'field-day'],
    [{ expiresAt: 'date', day: '2027-02-30' }, 'Choose a day.', 'field-day'],
    [{ expiresAt: 'date', day: '0000-01-01' }, 'Choose a day.', 'field-day'],
    [{ expiresAt: 'date', day: '2020-01-01' }, 'The expires at field must be a date in the future.', 'field-expiresAt'],
    [{ expiresAt: 'date', day: '9999-12-31' }, 'The expires at field must be a date within a year.', 'field-expiresAt'],
    [{ expiresAt: 'never' }, 'A personal token works for a year at most.', 'field-expiresAt'],
    [{ expiresAt: '366' }, 'Choose how long the token works.', 'field-expiresAt'],
    [{ expiresAt: [] }, 'Choose how long the token works.', 'field-expiresAt'],
    [{ expiresAt: ['7', '30'] }, 'Choose how long the token works.', 'field-expiresAt'],
  ])('asked for with %j is refused where the mistake is, and keeps what was typed', async (mistake, message, field) => {
    const { person, browser, page } = await atNew()
    const refused = await browser.press(page, 'Create token', { ...usual, ...mistake })
    expect(alertOf(refused)).toEqual([422, message])
    if (field) expect(refused.root.querySelector(`#${field}-wrong`)?.text).toBe(message)
    const sent = valuesOf(refused)
    if (!('Name' in mistake)) expect(sent.get('name')).toBe('Backup script')
    if (!('scopes' in mistake)) expect(sent.getAll('scopes')).toEqual(usual.scopes)
    expect(await tokensOf(person.id)).toEqual([])
    expect(heading(await browser.press(refused, 'Create token', usual))).toEqual([200, 'Copy the token now'])
  })

  test('is made only shortly after signing in; the password leads back to the form', async () => {
    const { person, browser, page } = await atNew()
    clock.advance(16 * 60_000)
    const asked = await browser.press(page, 'Create token', usual)
    expect([asked.url.pathname, heading(asked)]).toEqual(['/confirm', [200, 'Is it you?']])
    expect(await tokensOf(person.id)).toEqual([])
    const back = await browser.press(asked, 'Continue', { Password: password })
    expect([back.url.pathname, heading(back)]).toEqual(['/tokens/new', [200, 'Create a personal token']])
    expect(heading(await browser.press(back, 'Create token', usual))).toEqual([200, 'Copy the token now'])
  })

  test('is made by no form of another page or person, and shown to no visitor', async () => {
    const { person, browser, page } = await atNew()
    const { browser: other } = await atNew()
    const values = valuesOf(page)
    values.set('name', 'Evil')
    values.set('scopes', 'teams')
    const expired = [403, 'This form has expired']
    expect(heading(await other.send(page, '/tokens/new', values))).toEqual(expired)
    const unsealed = new URLSearchParams(values)
    unsealed.delete('csrf')
    expect(heading(await browser.send(page, '/tokens/new', unsealed))).toEqual(expired)
    expect(await tokensOf(person.id)).toEqual([])
    browser.cookies.clear()
    for (const path of ['/tokens', '/tokens/new', '/tokens/x']) {
      const asked = await browser.open(path)
      expect([asked.url.pathname, asked.url.searchParams.get('return_to')]).toEqual(['/sign-in', path])
    }
  })
})

describe('replacing the value', () => {
  test('gives another, while the old one works for as long as was chosen', async () => {
    const { person, browser, value, path } = await withToken()
    const page = await browser.open(path)
    const shown = await browser.press(page, 'Create a new value', { overlapSeconds: '3600' })
    const fresh = valueOf(shown)
    expect([heading(shown), fresh.slice(0, 4), fresh === value]).toEqual([[200, 'Copy the token now'], 'pat_', false])
    expect([(await account(value)).status, (await account(fresh)).status]).toEqual([200, 200])
    const again = await sendAgain(browser, page, 'Create a new value', { overlapSeconds: '3600' })
    expect(alertOf(again)).toEqual([422, 'This was sent before: the token exists already, and its value is not shown again.'])
    expect(await tokensOf(person.id)).toHaveLength(2)
    clock.advance(3_600_000)
    expect([(await account(value)).status, (await account(fresh)).status]).toEqual([401, 200])
    const states = (await browser.open('/tokens')).root.querySelectorAll('.badge').map((badge) => badge.text)
    expect(states).toEqual(['Works', 'Expired'])
    const old = await browser.open(path)
    expect([heading(old), old.root.querySelectorAll('main form').length]).toEqual([[200, 'Personal token'], 0])
  })

  test('without overlap ends the old one at once, and sent again finds nothing', async () => {
    const { browser, value, path } = await withToken()
    const page = await browser.open(path)
    const fresh = valueOf(await browser.press(page, 'Create a new value', { overlapSeconds: '0' }))
    expect([(await account(value)).status, (await account(fresh)).status]).toEqual([401, 200])
    expect(heading(await sendAgain(browser, page, 'Create a new value', { overlapSeconds: '0' }))).toEqual(nothingHere)
  })

  test.each(['1', '', 'x', '-3600', '99999999999'])('for %j seconds is refused and changes nothing', async (overlapSeconds) => {
    const { browser, value, path } = await withToken()
    const refused = await browser.press(await browser.open(path), 'Create a new value', { overlapSeconds })
    expect(alertOf(refused)).toEqual([422, 'The overlap seconds field is invalid.'])
    expect((await account(value)).status).toBe(200)
  })

  test('needs a recent sign-in, and asks for the password where it was long ago', async () => {
    const { browser, value, path } = await withToken()
    clock.advance(16 * 60_000)
    const asked = await browser.press(await browser.open(path), 'Create a new value')
    expect([asked.url.pathname, heading(asked)]).toEqual(['/confirm', [200, 'Is it you?']])
    expect((await account(value)).status).toBe(200)
    expect((await browser.press(asked, 'Continue', { Password: password })).url.pathname).toBe(path)
  })
})

describe('revoking', () => {
  test('takes a step of its own, works long after signing in, and counts at once', async () => {
    const { browser, value, path } = await withToken()
    clock.advance(60 * 60_000)
    const page = await browser.open(path)
    const step = page.root.querySelectorAll('details').find((details) => details.querySelector('summary')?.text === 'Revoke this token')
    expect([step?.hasAttribute('open'), step?.querySelector('button')?.text]).toEqual([false, 'Yes, revoke it'])
    const after = await browser.press(page, 'Yes, revoke it')
    expect([after.url.pathname, noticeOf(after)]).toEqual(['/tokens', [200, 'The token is revoked. It opens nothing any more.']])
    expect((await account(value)).status).toBe(401)
    expect(contentOf(after)).toMatch(/Backup script Revoked .* Revoked .* UTC$/)
  })

  test('of another’s token, or of none, is refused as if there were nothing', async () => {
    const { value, path } = await withToken()
    const { browser, path: own } = await withToken()
    for (const each of [path, '/tokens/x', '/tokens/%00', '/tokens/00000000-0000-4000-8000-000000000000'])
      expect(heading(await browser.open(each))).toEqual(nothingHere)
    // The seal of one page is not that of another.
    const values = valuesOf(await browser.open(own), 1)
    expect(heading(await browser.send(await browser.open(own), path, values))).toEqual([403, 'This form has expired'])
    expect((await account(value)).status).toBe(200)
  })
})

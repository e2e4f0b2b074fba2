import { describe, expect, test } from 'vitest'
import type { Page } from '../../support/browser/browser.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { personalToken } from '../../support/data/team.ts'
import { alertOf, contentOf, enter, heading, openAs, tokenValueOn, valuesOf } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const day = 86_400_000

/** Opens the page that creates tokens, for a new user. */
async function atNew() {
  const person = await createPerson(database)
  return { person, ...(await openAs(service, person, '/tokens/new')) }
}
const usual = { Name: 'Backup script', scopes: ['teams', 'flow:rules:read'], expiresAt: '30' }
const account = (token: string) => request(service, 'GET', '/api/v1/user', { token })
const tokensOf = (userId: string) => prisma.accessToken.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } })

/** Creates a token for a new user and returns its value. */
async function withToken(choices: Record<string, string | readonly string[]> = {}) {
  const { person, browser, page } = await atNew()
  const value = tokenValueOn(await browser.press(page, 'Create token', { ...usual, ...choices }))
  const [token] = await tokensOf(person.id)
  if (!token) throw new Error('no token was created')
  return { person, browser, value, token, path: `/tokens/${token.id}` }
}

describe('a personal token', () => {
  test('is created with the chosen properties; its value is shown once and works for its scopes', async () => {
    const { person, browser, page } = await atNew()
    const made = await browser.press(page, 'Create token', usual)
    const value = tokenValueOn(made)
    expect([made.url.pathname + made.url.search, ...heading(made)]).toEqual(['/tokens/new', 200, 'Copy your token'])
    expect(value).toMatch(/^pat_[0-9A-Za-z]{36}$/)
    expect(made.headers.get('cache-control')).toBe('no-store')
    expect(contentOf(made)).toBe(
      `Copy your token This is the value of Backup script . Copy it now: it is not shown again. ${value} Copy Treat this token like a password. Store it in a password manager or a secret store. Done`,
    )
    const { status, body } = await account(value)
    expect([status, body.id, body.scopes]).toEqual([200, person.id, ['teams', 'flow:rules:read']])
    expect(Math.abs(new Date(body.expires_at).getTime() - clock.now().getTime() - 30 * day)).toBeLessThan(60_000)

    const list = await browser.open('/tokens')
    expect(list.text).not.toContain(value)
    expect(contentOf(list)).toMatch(
      new RegExp(
        `^Personal tokens .* Create a personal token .*Backup script pat_…${value.slice(-4)} 2 permissions .*Rules: read never in 30 days just now (?!.*Show expired and revoked)`,
      ),
    )
  })

  test('is not created twice when the form is submitted twice, as by a reload', async () => {
    const { person, browser, page } = await atNew()
    const value = tokenValueOn(await browser.press(page, 'Create token', usual))
    // A browser that reloads submits the same form again.
    const again = await browser.press(page, 'Create token', usual)
    const message = 'The token was already created, and its value is not shown again.'
    expect([...alertOf(again), tokenValueOn(again)]).toEqual([422, message, ''])
    expect(again.root.toString()).not.toContain(value)
    expect(await tokensOf(person.id)).toHaveLength(1)
    // The form on the page with the error has a new idempotency key.
    expect(heading(await browser.press(again, 'Create token', usual))).toEqual([200, 'Copy your token'])
    expect(await tokensOf(person.id)).toHaveLength(2)
  })

  test.each([
    ['7', 7],
    ['60', 60],
    ['90', 90],
    ['365', 365],
  ])('with the lifetime %s expires after %s days', async (expiresAt, days) => {
    const { token } = await withToken({ expiresAt })
    expect(Math.abs((token.expiresAt?.getTime() ?? 0) - token.createdAt.getTime() - days * day)).toBeLessThan(60_000)
  })

  test('expires at the end of a chosen day, at most a year ahead', async () => {
    const chosen = new Date(clock.now().getTime() + 3 * day).toISOString().slice(0, 10)
    expect((await withToken({ expiresAt: 'date', day: chosen })).token.expiresAt).toEqual(new Date(`${chosen}T23:59:59.999Z`))
    const { browser, page } = await atNew()
    const last = page.root.querySelector('input[name=day]')?.getAttribute('max') ?? ''
    expect(heading(await browser.press(page, 'Create token', { ...usual, expiresAt: 'date', day: last }))[0]).toBe(200)
  })

  test.each([
    [{ Name: ' ' }, 'Enter a name.', 'field-name'],
    [{ Name: 'x'.repeat(256) }, 'Name must be at most 255 characters.', 'field-name'],
    [{ Name: 'a\0b' }, 'Name contains characters that cannot be stored.', 'field-name'],
    [{ scopes: [] }, 'Choose at least one permission.', 'field-scopes'],
    [{ scopes: ['openid'] }, 'Choose at least one permission.', 'field-scopes'],
    [{ expiresAt: 'date', day: '' }, 'Choose a date.', 'field-day'],
    [{ expiresAt: 'date', day: '2027-02-30' }, 'Choose a date.', 'field-day'],
    [{ expiresAt: 'date', day: '0000-01-01' }, 'Choose a date.', 'field-day'],
    [{ expiresAt: 'date', day: '2020-01-01' }, 'Choose a date in the future.', 'field-day'],
    [{ expiresAt: 'date', day: '9999-12-31' }, 'Choose a date within a year.', 'field-day'],
    [{ expiresAt: 'never' }, 'A personal token must expire within a year.', 'field-expiresAt'],
    [{ expiresAt: '366' }, 'Choose an expiration.', 'field-expiresAt'],
    [{ expiresAt: [] }, 'Choose an expiration.', 'field-expiresAt'],
    [{ expiresAt: ['7', '30'] }, 'Choose an expiration.', 'field-expiresAt'],
  ])('with %j is refused with an error at the field, and the form keeps the submitted values', async (mistake, message, field) => {
    const { person, browser, page } = await atNew()
    const refused = await browser.press(page, 'Create token', { ...usual, ...mistake })
    expect(alertOf(refused)).toEqual([422, message])
    if (field) expect(refused.root.querySelector(`#${field}-wrong`)?.text).toBe(message)
    const sent = valuesOf(refused)
    if (!('Name' in mistake)) expect(sent.get('name')).toBe('Backup script')
    if (!('scopes' in mistake)) expect(sent.getAll('scopes')).toEqual(usual.scopes)
    expect(await tokensOf(person.id)).toEqual([])
    expect(heading(await browser.press(refused, 'Create token', usual))).toEqual([200, 'Copy your token'])
  })

  test('requires a recent sign-in; after the password the form is shown again', async () => {
    const { person, browser, page } = await atNew()
    clock.advance(16 * 60_000)
    const asked = await browser.press(page, 'Create token', usual)
    expect([asked.url.pathname, heading(asked)]).toEqual(['/confirm', [200, 'Confirm it’s you']])
    expect(await tokensOf(person.id)).toEqual([])
    const back = await browser.press(asked, 'Continue', { Password: password })
    expect([back.url.pathname, heading(back)]).toEqual(['/tokens/new', [200, 'Create a personal token']])
    // The form has the submitted values and says that it was not submitted yet.
    expect(alertOf(back)).toEqual([200, 'Your changes are not saved yet. Check them and submit again.'])
    expect([await tokensOf(person.id), alertOf(await browser.open('/tokens/new'))]).toEqual([[], [200, undefined]])
    expect(heading(await browser.press(back, 'Create token'))).toEqual([200, 'Copy your token'])
    expect(await tokensOf(person.id)).toMatchObject([{ name: usual.Name, scopes: usual.scopes }])
  })

  test('whose creation waited for a recent sign-in is not shown to another user', async () => {
    const { person, browser, page } = await atNew()
    clock.advance(16 * 60_000)
    await browser.press(page, 'Create token', usual)
    const other = await createPerson(database)
    const back = await enter(browser, other, '/tokens/new')
    expect([heading(back), alertOf(back)]).toEqual([
      [200, 'Create a personal token'],
      [200, undefined],
    ])
    expect([back.root.querySelector('#field-name')?.getAttribute('value'), await tokensOf(person.id)]).toEqual([undefined, []])
  })

  test('is not created by the form of another page or user, and its page requires a session', async () => {
    const { person, browser, page } = await atNew()
    const { browser: other } = await atNew()
    const values = valuesOf(page)
    values.set('name', 'Evil')
    values.set('scopes', 'teams')
    expect(heading(await other.send(page, '/tokens/new', values))).toEqual([403, 'This form has expired'])
    const decrypted = new URLSearchParams(values)
    decrypted.delete('csrf')
    expect(heading(await browser.send(page, '/tokens/new', decrypted))).toEqual([403, 'Create a personal token'])
    expect(await tokensOf(person.id)).toEqual([])
    browser.cookies.clear()
    for (const path of ['/tokens', '/tokens/new', '/tokens/x']) {
      const asked = await browser.open(path)
      expect([asked.url.pathname, asked.url.searchParams.get('return_to')]).toEqual(['/sign-in', path])
    }
  })
})

test('the list of personal tokens has pages, for working tokens and for all', async () => {
  const person = await createPerson(database)
  for (let count = 0; count < 51; count++) await personalToken(database, person)
  await prisma.accessToken.updateMany({ where: { userId: person.id }, data: { revokedAt: clock.now() } })
  for (let count = 0; count < 51; count++) await personalToken(database, person)
  const { browser, page } = await openAs(service, person, '/tokens')
  const shown = ({ root }: Page) => [root.querySelectorAll('tbody tr').length, root.querySelector('.pages')?.text]
  expect(shown(page)).toEqual([50, 'Page 1 of 2Next page'])
  expect(page.root.querySelectorAll('main a').at(-1)?.getAttribute('href')).toBe('/tokens?all=yes')
  expect(shown(await browser.open('/tokens?page=2'))).toEqual([1, 'Previous pagePage 2 of 2'])
  const all = await browser.open('/tokens?all=yes')
  expect(shown(all)).toEqual([50, 'Page 1 of 3Next page'])
  const second = await browser.open(all.root.querySelector('.pages a')?.getAttribute('href') ?? '')
  expect(shown(second)).toEqual([50, 'Previous pagePage 2 of 3Next page'])
  expect(contentOf(await browser.open('/tokens?page=9'))).toMatch(/There is nothing on this page\. Go to the last page/)
})

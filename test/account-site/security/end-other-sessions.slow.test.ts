import { describe, expect, test } from 'vitest'
import { heading, secretOn, signedIn } from '../../support/account-site/page-content.ts'
import { optionsOn, sendPasskey } from '../../support/account-site/passkey.ts'
import { passwordSession } from '../../support/account-site/password-session.ts'
import { Authenticator } from '../../support/browser/authenticator.ts'
import type { Browser, Page } from '../../support/browser/browser.ts'
import { totpCode } from '../../support/data/totp.ts'
import { personalToken, unique } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { lastLink } from '../../support/mail/links.ts'
import { useService } from '../../support/service/service.ts'

const service = useService({ hostname: 'localhost' })
const { database, clock } = service

const label = 'endOtherSessions'
const isTicked = (page: Page, name = 'endOtherSessions') =>
  page.root.querySelectorAll(`main input[name=${name}]`).map((box) => box.hasAttribute('checked'))
/** The fields of a form whose box stays as it is, or is not ticked. */
type Choice = Record<string, readonly string[]>
const choices = [
  ['ticked at first', {}, [200, 'Sign in']],
  ['not ticked', { [label]: [] }, [200, 'Sign-in and security']],
] as const

async function addPasskey(browser: Browser, keepsOthers: boolean) {
  const form = await browser.open('/security/passkeys/new')
  expect(isTicked(form)).toEqual([true])
  const response = new Authenticator(service.url).register(optionsOn(form))
  return sendPasskey(browser, form, response, { name: 'Laptop', ...(keepsOthers && { endOtherSessions: 'false' }) })
}
async function turnOn(browser: Browser, choice: Choice) {
  const form = await browser.open('/security/authenticator')
  expect(isTicked(form)).toEqual([true])
  return browser.press(form, 'Turn on', { Code: totpCode(secretOn(form), clock.now()), ...choice })
}

/** By the change: makes it in a browser whose user is also signed in in another one. */
const changes: Record<string, (browser: Browser, choice: Choice, user: { id: string }) => Promise<Page>> = {
  'setting up an authenticator app': turnOn,
  'adding a passkey': (browser, choice) => addPasskey(browser, label in choice),
  async 'requiring the passkeys'(browser, choice) {
    await addPasskey(browser, true)
    return browser.press(await browser.open('/security/two-factor'), 'Use my passkeys as the second step', choice)
  },
  async 'deleting a passkey'(browser, choice) {
    return browser.press(await addPasskey(browser, true), 'Delete passkey', choice)
  },
  async 'turning two-factor authentication off'(browser, choice) {
    await turnOn(browser, { [label]: [] })
    return browser.press(await browser.open('/security/two-factor'), 'Turn off two-factor authentication', choice)
  },
  async 'changing the email address'(browser, choice, { id }) {
    const form = await browser.open('/account/email')
    await browser.press(form, 'Send confirmation link', { 'New email address': `${unique('new')}@example.test` })
    const landing = await browser.open(`/links/${await lastLink(service, id)}`)
    expect(isTicked(landing)).toEqual([true])
    return browser.press(landing, 'Confirm email address', choice)
  },
}

describe.each(Object.entries(changes))('the form for %s', (_, change) => {
  test.each(choices)('with the box %s', async (_, choice, expected) => {
    const { user, browser } = await signedIn(service)
    const other = await passwordSession(service, user)
    expect((await change(browser, choice, user)).status).toBe(200)
    expect(heading(await browser.open('/security'))).toEqual([200, 'Sign-in and security'])
    expect(heading(await other.open('/security'))).toEqual(expected)
  })
})

describe('the form for a forgotten password', () => {
  test.each(choices)('with the box %s', async (_, choice, expected) => {
    const { user, browser } = await signedIn(service)
    const other = browser.copy()
    const token = await personalToken(database, user)
    other.cookies.clear()
    await other.press(await other.open('/forgotten-password'), 'Send reset link', { 'Email address': user.email })
    const form = await other.open(`/links/${await lastLink(service, user.id)}`)
    expect([isTicked(form), isTicked(form, 'revokePersonalTokens')]).toEqual([[true], [false]])
    const done = await other.press(form, 'Change password', {
      'New password': 'umbrella gravel tennis',
      revokePersonalTokens: 'true',
      ...choice,
    })
    expect(heading(done)).toEqual([200, 'Your teams'])
    expect(heading(await browser.open('/security'))).toEqual(expected)
    expect((await request(service, 'GET', '/api/v1/teams', { token })).status).toBe(401)
  })
})

test.each([
  ['revokes the personal tokens if its box is ticked', { revokePersonalTokens: 'true' }, 401],
  ['keeps them if not', {}, 200],
])('the form for a new password signs out all other browsers and %s', async (_, choice, status) => {
  const { user, browser } = await signedIn(service)
  const other = await passwordSession(service, user)
  const token = await personalToken(database, user)
  const form = await browser.open('/account/password')
  expect(isTicked(form, 'revokePersonalTokens')).toEqual([false])
  await browser.press(form, 'Change password', { 'New password': 'umbrella gravel tennis', ...choice })
  expect(heading(await other.open('/security'))).toEqual([200, 'Sign in'])
  expect((await request(service, 'GET', '/api/v1/teams', { token })).status).toBe(status)
})

test('a refused form shows the box as it was submitted', async () => {
  const { browser } = await signedIn(service)
  const form = await browser.open('/security/authenticator')
  const unticked = await browser.press(form, 'Turn on', { Code: '000000', [label]: [] })
  expect([unticked.status, isTicked(unticked)]).toEqual([422, [false]])
  const ticked = await browser.press(unticked, 'Turn on', { Code: '000000', [label]: 'true' })
  expect([ticked.status, isTicked(ticked)]).toEqual([422, [true]])
})

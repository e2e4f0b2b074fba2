import { describe, expect, test } from 'vitest'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useService } from '../../support/service/service.ts'
import { totpCode } from '../../support/data/totp.ts'
import { optionsOn, sendPasskey, usePasskey } from '../../support/account-site/passkey.ts'
import { alertOf, enter, heading, noticeOf, secretOn, signedIn } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const refused = [422, 'The passkey was not accepted. Try again.']

async function createUserWithPasskey(name = 'Laptop') {
  const { user, browser } = await signedIn(service)
  const authenticator = new Authenticator(service.url)
  const page = await browser.open('/security/passkeys/new')
  return { user, browser, authenticator, page: await sendPasskey(browser, page, authenticator.register(optionsOn(page)), { name }) }
}
const openSignIn = (browser: Browser) => browser.open('/sign-in?return_to=/security')
const findSessionMethods = async ({ id }: { id: string }) =>
  (await prisma.session.findMany({ where: { userId: id }, orderBy: { createdAt: 'asc' } })).map(({ methods }) => methods)

describe('a passkey', () => {
  test('is added, and then signs in without password or code when the second factor is on', async () => {
    const { user, browser, authenticator, page } = await createUserWithPasskey()
    expect(noticeOf(page)).toEqual([200, 'The passkey “Laptop” was added. You can now sign in with it.'])
    const setUp = await browser.open('/security/authenticator')
    await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    const other = new Browser(service.url)
    expect(heading(await usePasskey(other, await openSignIn(other), authenticator))).toEqual([200, 'Sign-in and security'])
    expect(await findSessionMethods(user)).toEqual([['pwd'], ['hwk']])
  })

  test('replaces the code after the password only for its own user', async () => {
    const { user, browser, authenticator } = await createUserWithPasskey()
    const { authenticator: foreign } = await createUserWithPasskey()
    const setUp = await browser.open('/security/authenticator')
    await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    const other = new Browser(service.url)
    const result = await usePasskey(other, await enter(other, user), foreign)
    expect(alertOf(result)).toEqual([422, 'This passkey belongs to another account.'])
    expect(heading(await usePasskey(other, result, authenticator))).toEqual([200, 'Sign-in and security'])
    expect(await findSessionMethods(user)).toEqual([['pwd'], ['pwd', 'hwk']])
  })

  test('confirms a recent sign-in only for its own user', async () => {
    const { browser, authenticator } = await createUserWithPasskey()
    const { authenticator: foreign } = await createUserWithPasskey()
    clock.advance(16 * 60_000)
    const result = await usePasskey(browser, await browser.open('/security/passkeys/new'), foreign)
    expect([heading(result), alertOf(result)]).toEqual([
      [422, 'Confirm it’s you'],
      [422, 'This passkey belongs to another account.'],
    ])
    expect(heading(await usePasskey(browser, result, authenticator))).toEqual([200, 'Add a passkey'])
  })

  test('is refused when its response is replayed or its counter does not increase', async () => {
    const { authenticator } = await createUserWithPasskey()
    const [owner, attacker] = [new Browser(service.url), new Browser(service.url)]
    const page = await openSignIn(owner)
    const assertion = authenticator.assert(optionsOn(page))
    expect(heading(await sendPasskey(owner, page, assertion))).toEqual([200, 'Sign-in and security'])
    expect(alertOf(await sendPasskey(attacker, await openSignIn(attacker), assertion))).toEqual(refused)
    authenticator.counter = 0
    expect(alertOf(await usePasskey(attacker, await openSignIn(attacker), authenticator))).toEqual(refused)
    expect(heading(await attacker.open('/security'))).toEqual([200, 'Sign in'])
  })

  test('is refused for a disabled user and after its challenge expires', async () => {
    const { user, authenticator } = await createUserWithPasskey()
    const browser = new Browser(service.url)
    const page = await openSignIn(browser)
    clock.advance(600_001)
    expect(alertOf(await usePasskey(browser, page, authenticator))).toEqual(refused)
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } })
    expect(alertOf(await usePasskey(browser, await openSignIn(browser), authenticator))).toEqual(refused)
  })

  test('is renamed and deleted, and its name is rendered as text', async () => {
    const name = '<img src=x onerror=alert(1)>\u202E'
    const { browser, authenticator, page } = await createUserWithPasskey(name)
    expect(page.root.querySelector('#passkeys bdi')?.text).toBe(name)
    const result = await browser.press(page, 'Rename', { 'New name': ' ' })
    expect([alertOf(result), result.root.querySelector('details[open] .wrong')?.text]).toEqual([
      [422, 'Enter a new name.'],
      'Enter a new name.',
    ])
    const renamed = await browser.press(result, 'Rename', { 'New name': 'Phone' })
    expect([noticeOf(renamed), renamed.root.querySelector('#passkeys bdi')?.text]).toEqual([
      [200, 'The passkey is now called “Phone”.'],
      'Phone',
    ])
    const deleted = await browser.press(renamed, 'Delete passkey')
    expect(noticeOf(deleted)).toEqual([200, 'The passkey “Phone” was deleted. Also remove it from your device.'])
    expect(deleted.text).toContain('No passkeys')
    const other = new Browser(service.url)
    expect(alertOf(await usePasskey(other, await openSignIn(other), authenticator))).toEqual(refused)
  })

  test.each(['', '{}', 'null', '\0'])('is refused when the browser sends %j as its response', async (response) => {
    const { browser, user } = await signedIn(service)
    const result = await sendPasskey(browser, await browser.open('/security/passkeys/new'), response, { name: 'Laptop' })
    expect(alertOf(result)).toEqual([
      422,
      response === '\0' ? 'This page is out of date. Check it and try again.' : 'The passkey was not accepted. Try again.',
    ])
    expect(await prisma.passkey.count({ where: { userId: user.id } })).toBe(0)
    const visitor = new Browser(service.url)
    expect(alertOf(await sendPasskey(visitor, await openSignIn(visitor), response))).toEqual(refused)
  })
})

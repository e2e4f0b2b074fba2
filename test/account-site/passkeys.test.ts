import { describe, expect, test } from 'vitest'
import { Authenticator } from '../support/authenticator.ts'
import { Browser } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { totpCode } from '../support/totp.ts'
import { optionsOn, sendPasskey, usePasskey } from './passkey-of.ts'
import { alertOf, enter, heading, noticeOf, secretOn, signedIn } from './shown.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database
const refused = [422, 'The passkey was not accepted. Try again.']

async function withPasskey(name = 'Laptop') {
  const { user, browser } = await signedIn(service)
  const authenticator = new Authenticator(service.url)
  const page = await browser.open('/security/passkeys/new')
  return { user, browser, authenticator, page: await sendPasskey(browser, page, authenticator.register(optionsOn(page)), { name }) }
}
const signInPage = (browser: Browser) => browser.open('/sign-in?return_to=/security')
const methodsOf = async ({ id }: { id: string }) =>
  (await prisma.session.findMany({ where: { userId: id }, orderBy: { createdAt: 'asc' } })).map(({ methods }) => methods)

describe('a passkey', () => {
  test('is added, and then signs in alone, as two factors', async () => {
    const { user, browser, authenticator, page } = await withPasskey()
    expect(noticeOf(page)).toEqual([200, 'The passkey was added. You can sign in with it.'])
    const setUp = await browser.open('/security/authenticator')
    await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    const other = new Browser(service.url)
    expect(heading(await usePasskey(other, await signInPage(other), authenticator))).toEqual([200, 'Security'])
    expect(await methodsOf(user)).toEqual([['pwd'], ['hwk']])
  })

  test('stands in for the code after the password, its own person’s alone', async () => {
    const { user, browser, authenticator } = await withPasskey()
    const { authenticator: foreign } = await withPasskey()
    const setUp = await browser.open('/security/authenticator')
    await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    const other = new Browser(service.url)
    const back = await usePasskey(other, await enter(other, user), foreign)
    expect(alertOf(back)).toEqual([422, 'The passkey is of another account.'])
    expect(heading(await usePasskey(other, back, authenticator))).toEqual([200, 'Security'])
    expect(await methodsOf(user)).toEqual([['pwd'], ['pwd', 'hwk']])
  })

  test('shows again who it is, and nobody else', async () => {
    const { browser, authenticator } = await withPasskey()
    const { authenticator: foreign } = await withPasskey()
    clock.advance(16 * 60_000)
    const back = await usePasskey(browser, await browser.open('/security/passkeys/new'), foreign)
    expect([heading(back), alertOf(back)]).toEqual([
      [422, 'Is it you?'],
      [422, 'The passkey is of another account.'],
    ])
    expect(heading(await usePasskey(browser, back, authenticator))).toEqual([200, 'Add a passkey'])
  })

  test('whose answer was seen, or that was copied, opens nothing', async () => {
    const { authenticator } = await withPasskey()
    const [owner, thief] = [new Browser(service.url), new Browser(service.url)]
    const page = await signInPage(owner)
    const answer = authenticator.assert(optionsOn(page))
    expect(heading(await sendPasskey(owner, page, answer))).toEqual([200, 'Security'])
    expect(alertOf(await sendPasskey(thief, await signInPage(thief), answer))).toEqual(refused)
    authenticator.counter = 0
    expect(alertOf(await usePasskey(thief, await signInPage(thief), authenticator))).toEqual(refused)
    expect(heading(await thief.open('/security'))).toEqual([200, 'Sign in'])
  })

  test('of somebody who was disabled opens nothing, nor one that answered too late', async () => {
    const { user, authenticator } = await withPasskey()
    const browser = new Browser(service.url)
    const page = await signInPage(browser)
    clock.advance(600_001)
    expect(alertOf(await usePasskey(browser, page, authenticator))).toEqual(refused)
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } })
    expect(alertOf(await usePasskey(browser, await signInPage(browser), authenticator))).toEqual(refused)
  })

  test('is renamed and deleted; its name is shown as it is', async () => {
    const name = '<img src=x onerror=alert(1)>\u202E'
    const { browser, authenticator, page } = await withPasskey(name)
    expect(page.root.querySelector('#passkeys bdi')?.text).toBe(name)
    const back = await browser.press(page, 'Rename', { 'New name': ' ' })
    expect([alertOf(back), back.root.querySelector('details[open] .wrong')?.text]).toEqual([
      [422, 'The name field is required.'],
      'The name field is required.',
    ])
    const renamed = await browser.press(back, 'Rename', { 'New name': 'Phone' })
    expect([noticeOf(renamed), renamed.root.querySelector('#passkeys bdi')?.text]).toEqual([[200, 'The passkey has a new name.'], 'Phone'])
    const deleted = await browser.press(renamed, 'Yes, delete it')
    expect(noticeOf(deleted)).toEqual([200, 'The passkey was deleted. Remove it from your device too.'])
    expect(deleted.text).toContain('You have none.')
    const other = new Browser(service.url)
    expect(alertOf(await usePasskey(other, await signInPage(other), authenticator))).toEqual(refused)
  })

  test.each(['', '{}', 'null', '\0'])('that the browser answers with %j for is refused', async (response) => {
    const { browser, user } = await signedIn(service)
    const back = await sendPasskey(browser, await browser.open('/security/passkeys/new'), response, { name: 'Laptop' })
    expect(alertOf(back)).toEqual([
      422,
      response === '\0' ? 'The response field contains characters that cannot be stored.' : 'The passkey was not accepted. Try again.',
    ])
    expect(await prisma.passkey.count({ where: { userId: user.id } })).toBe(0)
    const visitor = new Browser(service.url)
    expect(alertOf(await sendPasskey(visitor, await signInPage(visitor), response))).toEqual(refused)
  })
})

import type { Browser, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { addAuthenticator } from '../../support/browser/virtual-authenticator.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { evaluateInPage, expectAccessible, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { totpCode } from '../../support/data/totp.ts'
import { isFull } from '../../support/service/full.ts'

// Uses passkeys in Chromium with a virtual authenticator, by keyboard and pointer.

const service = useService({ hostname: 'localhost' })
const browser = useChromium()
const { database, clock } = service
const { prisma } = database

async function signedIn(options: Parameters<Browser['newContext']>[0] = {}) {
  const person = await createPerson(database)
  const tab = await openTab(browser, service, options)
  await signInAt(tab, service, person.email)
  return { person, tab, page: tab.page }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await button(page, 'Sign out').click()
}
const heading = (page: Page) => page.locator('h1').textContent()

describe('in a browser with an authenticator', () => {
  test('a passkey is added, signs in without a password, and is deleted', async () => {
    const { person, tab, page } = await signedIn()
    const setVerified = await addAuthenticator(page)
    await page.goto(`${service.url}/security/passkeys`)
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name').fill('Laptop')
    await page.keyboard.press('Enter')
    await page.getByText('The passkey “Laptop” was added.').waitFor()
    expect(await prisma.passkey.findMany({ where: { userId: person.id } })).toEqual([
      expect.objectContaining({ name: 'Laptop', transports: ['internal'], counter: expect.any(BigInt), lastUsedAt: null }),
    ])

    // The same device cannot hold a second passkey for the account.
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name').fill('Again')
    await button(page, 'Continue').click()
    await page.getByText('This device already has a passkey for your account.').waitFor()

    await signOut(page)
    await page.goto(`${service.url}/sign-in?return_to=/security/passkeys`)
    await setVerified(false)
    await button(page, 'Use a passkey').click()
    await page.getByText('No passkey was used. Try again.').waitFor()
    await setVerified(true)
    await button(page, 'Use a passkey').click()
    await page.waitForURL(`${service.url}/security/passkeys`)
    expect((await prisma.session.findFirstOrThrow({ where: { userId: person.id } })).methods).toEqual(['hwk'])

    await page.getByRole('link', { name: 'Delete Laptop' }).click()
    await button(page, 'Delete passkey').click()
    await page.getByText('The passkey “Laptop” was deleted.').waitFor()
    await signOut(page)
    await page.goto(`${service.url}/sign-in`)
    await button(page, 'Use a passkey').click()
    await page.getByText('The passkey was not accepted. Try again.').waitFor()
    expect(tab.complaints).toEqual([])
  })

  test('a passkey that the browser suggests in the address field signs in', async () => {
    const { person, tab, page } = await signedIn()
    await addAuthenticator(page, { offersAutofill: true })
    await page.goto(`${service.url}/security/passkeys/new`)
    await page.getByLabel('Name').fill('Laptop')
    await button(page, 'Continue').click()
    await page.waitForURL(`${service.url}/security/passkeys`)
    await page.context().clearCookies()
    await page.goto(`${service.url}/sign-in?return_to=/security`)
    await page.waitForURL(`${service.url}/security`)
    const [latest] = await prisma.session.findMany({ where: { userId: person.id }, orderBy: { createdAt: 'desc' } })
    expect([latest?.methods, tab.complaints]).toEqual([['hwk'], []])
  })

  test('the second factor is set up, its codes are copied, and a passkey replaces the code', async () => {
    const { person, tab, page } = await signedIn({ permissions: ['clipboard-read', 'clipboard-write'] })
    await addAuthenticator(page)
    await page.goto(`${service.url}/security/passkeys/new`)
    await page.getByLabel('Name').fill('Laptop')
    await button(page, 'Continue').click()
    await page.waitForURL(`${service.url}/security/passkeys`)
    await page.goto(`${service.url}/security/authenticator`)
    const secret = (await page.locator('p.secret').textContent()) ?? ''
    await page.getByLabel('Code', { exact: true }).fill(totpCode(secret.replaceAll(' ', ''), clock.now()))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
    await button(page, 'Copy all codes').click()
    await page.getByText('Copied.').waitFor()
    const codes = await page.locator('.recovery-codes code').allTextContents()
    const copied = await evaluateInPage(page, ({ navigator }) => navigator.clipboard.readText())
    expect(copied.split(/\s+/)).toEqual(codes)

    await signOut(page)
    await signInAt(tab, service, person.email)
    expect(await heading(page)).toBe('Two-factor authentication')
    await button(page, 'Use a passkey').click()
    await page.waitForURL((address) => !address.pathname.startsWith('/sign-in'))
    const [latest] = await prisma.session.findMany({ where: { userId: person.id }, orderBy: { createdAt: 'desc' } })
    expect(latest?.methods).toEqual(['pwd', 'hwk'])
    expect(tab.complaints).toEqual([])
  })
})

test('a page without JavaScript offers no passkey, and explains why one cannot be added', async () => {
  const { page } = await signedIn({ javaScriptEnabled: false })
  await page.goto(`${service.url}/security/passkeys/new`)
  expect(await button(page, 'Continue').isVisible()).toBe(false)
  // With JavaScript disabled in the context, Chromium still parses the content of noscript as text.
  expect(await page.locator('noscript').textContent()).toContain('Passkeys need JavaScript.')
  await signOut(page)
  expect(await button(page, 'Sign in').isVisible()).toBe(true)
  expect(await button(page, 'Use a passkey').isVisible()).toBe(false)
})

const looks = [
  ['a phone, dark', { viewport: sizes.phone, colorScheme: 'dark' }],
  ['a phone, light', { viewport: sizes.phone, colorScheme: 'light' }],
  ['a desk, dark', { viewport: sizes.desktop, colorScheme: 'dark' }],
  ['a desk, light', { viewport: sizes.desktop, colorScheme: 'light' }],
] as const
// `npm test` checks the phone, where pages fit less easily; the full suite checks all four.
test.each(isFull ? looks : looks.slice(0, 1))('every passkey page fits the window and is accessible on %s', async (_, contextOptions) => {
  const { tab, page, person } = await signedIn(contextOptions)
  await addAuthenticator(page)
  const expectPage = async (title: string) => {
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await expectFits(page)
    await expectAccessible(page)
  }
  await page.goto(`${service.url}/security/passkeys/new`)
  await expectPage('Add a passkey')
  await page.getByLabel('Name').fill('W'.repeat(255))
  await button(page, 'Continue').click()
  await expectPage('Passkeys')
  for (const summary of await page.locator('#passkeys summary').all()) await summary.click()
  await expectAccessible(page)
  await page.goto(`${service.url}/security/two-factor`)
  await expectPage('Two-factor authentication')
  await page.getByRole('link', { name: 'Use my passkeys as the second step' }).click()
  await button(page, 'Use my passkeys as the second step').click()
  await expectPage('Save your recovery codes')
  await signOut(page)
  await signInAt(tab, service, person.email)
  await expectPage('Two-factor authentication')
  await button(page, 'Use a passkey').click()
  await page.waitForURL((address) => !address.pathname.startsWith('/sign-in'))
  await page.goto(`${service.url}/security`)
  await expectPage('Sign-in and security')
  await page.goto(`${service.url}/security/authenticator`)
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await button(page, 'Turn on').click()
  await expectPage('Set up an authenticator app')
  const secret = (await page.locator('p.secret').textContent()) ?? ''
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret.replaceAll(' ', ''), clock.now()))
  await button(page, 'Turn on').click()
  await page.getByText('Your recovery codes stay the same.').waitFor()
  await expectPage('Two-factor authentication')
  await signOut(page)
  await signInAt(tab, service, person.email)
  await expectPage('Two-factor authentication')
  expect(tab.complaints).toEqual([])
})

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { estimate } from '../../../schema/accounts/passwords/guessable-password.ts'
import { enter, valuesOf } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { expectAccessibleInBothThemes, expectFitsResized, openTab } from '../../support/browser/tab.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService({ secretKey })
const browser = useChromium()

const rule = 'At least 8 characters, hard to guess.'
const words = (page: Page) => page.locator('[data-strength] + span')

/** Types a password and waits for these words. */
async function expectWords(page: Page, typed: string, expected: string) {
  await page.locator('input[autocomplete=new-password]').fill(typed)
  await words(page).getByText(expected, { exact: true }).waitFor()
}

describe('while a new password is typed, the page says', () => {
  test('in one line what is missing and how good the password is, by the rule of the server', async () => {
    const { page, complaints } = await openTab(browser, service, { viewport: { width: 390, height: 844 } })
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname + (request.postData() ?? '')))
    await page.goto(`${service.url}/sign-up`)
    expect(await words(page).innerText()).toBe(rule)
    await page.getByLabel('Name').fill('Grace Hopper')
    await expectWords(page, 'abc', '5 more characters.')
    await expectWords(page, 'abcdefg', 'One more character.')
    expect(sent).toEqual([])
    await expectWords(page, 'password1', 'Easy to guess. Add unrelated words.')
    await expectWords(page, 'gracehopper7', 'Too close to a name. Add other words.')
    await expectWords(page, 'xkqzvbwj', 'Good password.')
    await expectWords(page, 'purple lantern river', 'Strong password.')
    expect(sent.every((each) => each.startsWith('/sign-upform=strength'))).toBe(true)
    const height = (await words(page).boundingBox())?.height ?? 0
    expect(height).toBeLessThan(30)
    await expectAccessibleInBothThemes(page)
    await expectFitsResized(page)
    await expectWords(page, '', rule)
    expect([complaints, await service.database.prisma.user.count({ where: { name: 'Grace Hopper' } })]).toEqual([[], 0])
  })

  test('the same on the pages that choose another one, where it knows the name of the account', async () => {
    const user = await createPerson(service.database, { name: 'Adalbert Moreau' })
    const { page } = await openTab(browser, service)
    await page.goto(`${service.url}/forgotten-password`)
    await page.getByLabel('Email address').fill(user.email)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.goto(`${service.url}/links/${await lastLink(service, user.id)}`)
    await expectWords(page, 'adalbertmoreau', 'Too close to a name. Add other words.')
    await expectWords(page, 'purple lantern river', 'Strong password.')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.waitForURL(`${service.url}/account/teams`)
    await page.goto(`${service.url}/account/password`)
    await expectWords(page, 'adalbertmoreau', 'Too close to a name. Add other words.')
    await expectWords(page, 'green lantern rivers', 'Strong password.')
  })

  test('exactly that a password is good which the server accepts', async () => {
    const visitor = new Browser(service.url)
    const page = await visitor.open('/sign-up')
    const csrf = page.root.querySelector('[data-strength]')?.getAttribute('data-csrf') ?? ''
    for (const password of [
      '12345678',
      '83920175',
      'letmein123',
      'tr0ub4dor&3',
      'purplelantern',
      'aaaaaaaaaaaaaaaa',
      'x7Kq2mZp',
      'a'.repeat(129),
    ]) {
      const values = new URLSearchParams({ form: 'strength', csrf, password, name: '', email: '' })
      const { strength } = JSON.parse((await visitor.send(page, '/sign-up', values)).root.toString()) as { strength: string }
      const isAccepted = password.length <= 128 && estimate(password, []).weakness === null
      expect([password, strength === 'fair' || strength === 'strong']).toEqual([password, isAccepted])
    }
  })

  test('nothing to another site, or without the token of the page', async () => {
    const visitor = new Browser(service.url)
    const page = await visitor.open('/sign-up')
    const values = new URLSearchParams({ form: 'strength', csrf: valuesOf(page).get('csrf') ?? '', password: 'purple lantern river' })
    expect((await visitor.send(page, '/sign-up', values)).headers.get('content-type')).toContain('text/html')
    const elsewhere = { method: 'POST', body: values, headers: { origin: 'https://evil.example' } }
    expect((await visitor.open('/sign-up', elsewhere)).status).toBe(403)
    const { browser: other } = { browser: new Browser(service.url) }
    await enter(other, await createPerson(service.database))
    expect((await other.send(page, '/sign-up', values)).url.pathname).toBe('/account/teams')
  })
})

import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { seedSite, names } from '../../support/account-site/seed.ts'
import { authorizationUrl, createClient, password } from '../../support/oauth/oauth.ts'
import { reservePort } from '../../support/processes/port.ts'
import { useService } from '../../support/service/service.ts'
import { evaluateInPage, expectAccessible, openTab } from '../../support/browser/tab.ts'
import type { Tab } from '../../support/browser/tab.ts'

// These tests use no mouse: every step works with a keyboard alone.

const service = useService()
const browser = useChromium()
const application = createServer((_, response) => response.end('connected'))
const { port, listen } = reservePort()
beforeAll(() => listen(application))
afterAll(() => void application.close())
const app = `http://127.0.0.1:${port}`

/** Presses Tab until the element with this name has the focus. */
async function tabTo({ page }: Tab, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab')
    const focused = await evaluateInPage(page, ({ document, getComputedStyle }) => {
      const element = document.activeElement
      const label: string = element === document.body ? '' : (element.labels?.[0]?.textContent ?? element.textContent)
      return { label: label.trim(), isOutlined: getComputedStyle(element).outlineStyle !== 'none' }
    })
    passed.push(focused.label)
    // The focused element has a visible outline.
    if (name.test(focused.label)) return expect(focused.isOutlined).toBe(true)
  }
  throw new Error(`${name} cannot be reached with Tab from ${page.url()}; passed ${passed.join(', ')}`)
}

async function type(tab: Tab, label: RegExp, text: string): Promise<void> {
  await tabTo(tab, label)
  await tab.page.keyboard.type(text)
}

async function press(tab: Tab, button: RegExp): Promise<void> {
  await tabTo(tab, button)
  await tab.page.keyboard.press('Enter')
}

test.each([true, false])(
  'signing in, consenting and creating a token work with a keyboard alone (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const { person } = await seedSite(service, names.plain)
    const client = await createClient(service.database, {
      confidential: false,
      redirectUris: ['http://127.0.0.1/callback'],
      team: 'optional',
    })
    const tab = await openTab(browser, service, { javaScriptEnabled })
    const { page, complaints } = tab

    await page.goto(authorizationUrl(service, client, { scope: 'openid email offline_access', redirect_uri: `${app}/callback` }).url.href)
    // A team has an identity provider, so the page asks for the address first.
    await type(tab, /^Email address$/, person.email)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Use another address' }).waitFor()
    await type(tab, /^Password$/, password)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { level: 1, name: 'Allow Example App to access your account?' }).waitFor()
    if (javaScriptEnabled) await expectAccessible(page)
    await tabTo(tab, /^Team$/)
    await page.keyboard.type('All')
    await tabTo(tab, /^See your email address/i)
    await page.keyboard.press('Space')
    await press(tab, /^Allow access$/)
    await page.getByText('connected').waitFor()
    const { pathname, searchParams } = new URL(page.url())
    expect([pathname, searchParams.has('code')]).toEqual(['/callback', true])
    const [grant] = await service.database.prisma.oAuthGrant.findMany({ where: { userId: person.id, teamId: null } })
    expect(grant).toMatchObject({ declinedScopes: ['email'] })

    await page.goto(`${service.url}/tokens/new`)
    await type(tab, /^Name/, 'keyboard')
    await tabTo(tab, /^See your teams and their names/)
    await page.keyboard.press('Space')
    await press(tab, /^Create/)
    await page.getByText(/^pat_[0-9A-Za-z]{36}$/).waitFor()
    if (javaScriptEnabled) await expectAccessible(page)
    const tokens = await service.database.prisma.accessToken.findMany({ where: { userId: person.id, name: 'keyboard' } })
    expect(tokens).toMatchObject([{ scopes: ['teams'] }])
    expect(complaints.filter((complaint) => !complaint.startsWith(`requested ${app}/`))).toEqual([])
  },
)

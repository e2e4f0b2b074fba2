import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { furnish, names } from '../support/furnished.ts'
import { authorizationUrl, createClient, password } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { expectAccessible, openTab } from '../support/tab.ts'
import type { Tab } from '../support/tab.ts'

// Nothing here is clicked: whoever has but a keyboard signs in, decides and makes a token.

const service = await startService()
const browser = await launchChromium()
const application = createServer((_, response) => response.end('connected'))
await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve))
afterAll(() => void application.close())
const app = `http://127.0.0.1:${(application.address() as AddressInfo).port}`

/** Goes on from one thing to the next, as Tab does, until the one of this name has the focus. */
async function tabTo({ page }: Tab, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const { document } = globalThis as any
      const element = document.activeElement
      const label: string = element === document.body ? '' : (element.labels?.[0]?.textContent ?? element.textContent)
      return { label: label.trim(), isOutlined: (globalThis as any).getComputedStyle(element).outlineStyle !== 'none' }
    })
    passed.push(focused.label)
    // What has the focus shows it.
    if (name.test(focused.label)) return expect(focused.isOutlined).toBe(true)
  }
  throw new Error(`${name} is not reached by Tab from ${page.url()}, but ${passed.join(', ')}`)
}

async function type(tab: Tab, label: RegExp, text: string): Promise<void> {
  await tabTo(tab, label)
  await tab.page.keyboard.type(text)
}

async function press(tab: Tab, button: RegExp): Promise<void> {
  await tabTo(tab, button)
  await tab.page.keyboard.press('Enter')
}

test.each([true, false])('with JavaScript %s, a keyboard alone signs in, consents and creates a token', async (javaScriptEnabled) => {
  const { person } = await furnish(service, names.plain)
  const client = await createClient(service.database, {
    confidential: false,
    redirectUris: ['http://127.0.0.1/callback'],
    team: 'optional',
  })
  const tab = await openTab(browser, service, { javaScriptEnabled })
  const { page, complaints } = tab

  await page.goto(authorizationUrl(service, client, { scope: 'openid email offline_access', redirect_uri: `${app}/callback` }).url.href)
  await type(tab, /^Email address$/, person.email)
  await type(tab, /^Password$/, password)
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { level: 1, name: 'Allow access?' }).waitFor()
  if (javaScriptEnabled) await expectAccessible(page)
  await tabTo(tab, /^see your email address/i)
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
  expect(complaints.filter((complaint) => !complaint.startsWith(`asked ${app}/`))).toEqual([])
})

import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { pressEnterOn, tabTo, typeInto } from '../../support/browser/keyboard.ts'
import { seedSite, names } from '../../support/account-site/seed.ts'
import { authorizationUrl, createClient, password } from '../../support/oauth/oauth.ts'
import { reservePort } from '../../support/processes/port.ts'
import { useService } from '../../support/service/service.ts'
import { expectAccessible, openTab } from '../../support/browser/tab.ts'

// These tests use no mouse: every step works with a keyboard alone.

const service = useService()
const browser = useChromium()
const application = createServer((_, response) => response.end('connected'))
const { port, listen } = reservePort()
beforeAll(() => listen(application))
afterAll(() => void application.close())
const app = `http://127.0.0.1:${port}`

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
    await typeInto(tab, /^Email address$/, person.email)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Change the email address' }).waitFor()
    await typeInto(tab, /^Password$/, password)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { level: 1, name: 'Allow Example App to access your account?' }).waitFor()
    if (javaScriptEnabled) await expectAccessible(page)
    await tabTo(tab, /^Team$/)
    await page.keyboard.type('All')
    await tabTo(tab, /^See your email address/i)
    await page.keyboard.press('Space')
    await pressEnterOn(tab, /^Allow access$/)
    await page.getByText('connected').waitFor()
    const { pathname, searchParams } = new URL(page.url())
    expect([pathname, searchParams.has('code')]).toEqual(['/callback', true])
    const [grant] = await service.database.prisma.oAuthGrant.findMany({ where: { userId: person.id, teamId: null } })
    expect(grant).toMatchObject({ declinedScopes: ['email'] })

    await page.goto(`${service.url}/tokens/new`)
    await typeInto(tab, /^Name/, 'keyboard')
    await tabTo(tab, /^See your teams and their names/)
    await page.keyboard.press('Space')
    await pressEnterOn(tab, /^Create/)
    await page.getByText(/^pat_[0-9A-Za-z]{36}$/).waitFor()
    if (javaScriptEnabled) await expectAccessible(page)
    const tokens = await service.database.prisma.accessToken.findMany({ where: { userId: person.id, name: 'keyboard' } })
    expect(tokens).toMatchObject([{ scopes: ['teams'] }])
    expect(complaints.filter((complaint) => !complaint.startsWith(`requested ${app}/`))).toEqual([])
  },
)

import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { everyPage, furnish, names } from '../support/furnished.ts'
import { startService } from '../support/service.ts'
import { expectAccessible, expectWhole, openTab, signInAt, sizes } from '../support/tab.ts'

// Every page there is, in a real Chromium: a page that is added is looked at without being named here.

const service = await startService()
const browser = await launchChromium()
const desk = { viewport: sizes.desktop, colorScheme: 'light' } as const
const phone = { viewport: sizes.phone, colorScheme: 'dark' } as const
const mostBytes = 60_000

/** Opens every page that there is for what is called `name`, and hands each over to be looked at. */
async function expectEveryPage(name: string, look: BrowserContextOptions, lookAt: (page: Page) => Promise<void>): Promise<void> {
  const { person, parameters } = await furnish(service, name)
  const visitor = await openTab(browser, service, look)
  const owner = await openTab(browser, service, look)
  await signInAt(owner, service, person.email)
  for (const { path, isForAnyone } of everyPage(parameters)) {
    const tab = isForAnyone ? visitor : owner
    await tab.page.goto(service.url + path)
    // A page that leads on is looked at where it led.
    const { pathname } = new URL(tab.page.url())
    expect([path, pathname === '/sign-in' && !isForAnyone]).toEqual([path, false])
    await lookAt(tab.page)
    expect(tab.weight(), path).toBeLessThan(mostBytes)
    // A 404 would be whole and light too.
    expect([path, await tab.page.title()]).not.toEqual([path, expect.stringContaining('There is nothing here')])
  }
  expect([...visitor.complaints, ...owner.complaints]).toEqual([])
  await visitor.page.context().close()
  await owner.page.context().close()
}

test.each([
  ['at a desk, light', desk],
  ['on a phone, dark', phone],
] as const)('every page is open to everybody, whole and light to load %s', (_, look) =>
  expectEveryPage(names.plain, look, async (page) => {
    await expectWhole(page)
    await expectAccessible(page)
  }),
)

test('every page is there without JavaScript', () =>
  expectEveryPage(names.plain, { ...desk, javaScriptEnabled: false }, async (page) => {
    expect([page.url(), await page.locator('h1').count()]).toEqual([page.url(), 1])
  }))

test.each(['hostile', 'rightToLeft', 'long'] as const)('a name that is %s leaves every page whole', async (kind) => {
  await expectEveryPage(names[kind], phone, expectWhole)
  await expectEveryPage(names[kind], desk, expectWhole)
})

import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { everyPage, furnish, names } from '../support/furnished.ts'
import { startService } from '../support/service.ts'
import { expectAccessibleInAnyLight, expectWhole, sizes } from '../support/tab.ts'
import { openTabs } from './two-tabs.ts'

// Every page there is, in a real Chromium: a page that is added is looked at without being named here.

const service = await startService()
const browser = await launchChromium()
const desk = { viewport: sizes.desktop, colorScheme: 'light' } as const
const phone = { viewport: sizes.phone, colorScheme: 'dark' } as const
const mostBytes = 60_000

/** Opens every page that there is for what is called `name`, and hands each over to be looked at. */
async function expectEveryPage(name: string, look: BrowserContextOptions, lookAt: (page: Page) => Promise<void>): Promise<void> {
  const furnished = await furnish(service, name)
  const { visitor, owner } = await openTabs(browser, service, furnished, look)
  for (const { path, endsAt, isForAnyone } of everyPage(furnished.parameters)) {
    const { page, weight } = isForAnyone ? visitor : owner
    const answer = await page.goto(service.url + path)
    expect([path, answer?.status(), new URL(page.url()).pathname]).toEqual([path, 200, endsAt])
    expect(weight(), path).toBeLessThan(mostBytes)
    await lookAt(page)
  }
  expect([...visitor.complaints, ...owner.complaints]).toEqual([])
  await visitor.page.context().close()
  await owner.page.context().close()
}

test.each([
  ['at a desk', desk],
  ['on a phone', phone],
] as const)('every page is whole, light to load and open to everybody %s, in light and dark', (_, look) =>
  expectEveryPage(names.plain, look, async (page) => {
    await expectWhole(page)
    await expectAccessibleInAnyLight(page)
    await page.emulateMedia({ colorScheme: look.colorScheme })
  }),
)

/** What is shown on a page on which no script has run. */
const shownOn = (page: Page) =>
  page.evaluate(() => {
    const { document } = globalThis as any
    const main = document.querySelector('main')
    const all = (selector: string): any[] => [...main.querySelectorAll(selector)].filter((element) => element.checkVisibility())
    const named = all('h1, h2, h3, p, li, dt, dd, th, legend, label, button, a, summary, option')
    return {
      headings: all('h1').length,
      // Something to do, to read, or to go on to.
      isFilled: all('form, table, dl, ul, ol, p a').length > 0,
      empty: named.filter((element) => element.innerText.trim() === '' && !element.querySelector('svg')).map(({ outerHTML }) => outerHTML),
      scripted: all('[data-passkey], [data-copy]').length,
      asksForScripts: /javascript/i.test(main.innerText),
    }
  })

test('every page is complete without JavaScript, but for that on which passkeys are made', async () => {
  const asking: string[] = []
  await expectEveryPage(names.plain, { ...desk, javaScriptEnabled: false }, async (page) => {
    const { pathname } = new URL(page.url())
    const { asksForScripts, ...shown } = await shownOn(page)
    expect({ pathname, ...shown }).toEqual({ pathname, headings: 1, isFilled: true, empty: [], scripted: 0 })
    if (asksForScripts) asking.push(pathname)
  })
  expect(asking).toEqual(['/security/passkeys/new'])
})

test.each(['hostile', 'rightToLeft', 'long'] as const)('a name that is %s leaves every page whole', async (kind) => {
  await expectEveryPage(names[kind], phone, expectWhole)
  await expectEveryPage(names[kind], desk, expectWhole)
})

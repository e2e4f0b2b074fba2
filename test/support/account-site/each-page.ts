import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Chromium } from '../browser/chromium.ts'
import type { TestService } from '../service/service.ts'
import { everyPage, everyStaffPage } from './every-page.ts'
import { seedSite } from './seed.ts'
import { isFull } from '../service/full.ts'
import { openTabs } from './two-tabs.ts'

const maxBytes = 60_000

interface EachPageOptions extends BrowserContextOptions {
  /** The name of everything in the team that the pages show. */
  name: string
  /** A selection of the pages. */
  pagesOf?: typeof everyPage
}

/** Selects one third of the pages: outside of the full suite, for checks of what all pages have in common. */
export const thirdOfPages =
  (third: 0 | 1 | 2): typeof everyPage =>
  (parameters) =>
    everyPage(parameters).filter((_, index) => isFull || index % 3 === third)

/** Opens every declared page in a real browser and runs `check` on each. A new page is included automatically. */
export async function expectEachPage(
  service: TestService,
  browser: Chromium,
  { name, pagesOf = everyPage, ...options }: EachPageOptions,
  check: (page: Page) => Promise<void>,
): Promise<void> {
  const seeded = await seedSite(service, name)
  const { anonymous, owner, staff } = await openTabs(browser, service, seeded, options)
  const opened = [
    ...pagesOf(seeded.parameters).map((each) => Object.assign(each, { tab: each.isPublic ? anonymous : owner })),
    ...everyStaffPage(seeded.parameters).map((each) => Object.assign(each, { tab: staff })),
  ]
  for (const { path, endsAt, status, tab } of opened) {
    const { page, weight } = tab
    const response = await page.goto(service.url + path)
    expect([path, response?.status(), new URL(page.url()).pathname]).toEqual([path, status, endsAt])
    expect(weight(), path).toBeLessThan(maxBytes)
    await check(page)
  }
  expect([...anonymous.complaints, ...owner.complaints, ...staff.complaints]).toEqual([])
  for (const { page } of [anonymous, owner, staff]) await page.context().close()
}

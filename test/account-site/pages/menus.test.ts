import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { seedSite, names } from '../../support/account-site/seed.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()

/** Opens a page that has all menus: those of the header and, on a desk, of rows; on a phone, the navigation. */
async function openMembers(options: { viewport: { width: number; height: number }; javaScriptEnabled: boolean }) {
  const { person, team } = await seedSite(service, names.plain)
  const tab = await openTab(browser, service, options)
  await signInAt(tab, service, person.email)
  await tab.page.goto(`${service.url}/teams/${team.slug}/members`)
  return tab
}

const menus = (page: Page) => page.locator('.popup > summary:visible, .row-menu > summary:visible, .menu > summary:visible')
const openMenus = (page: Page) => page.locator('details[open]:not(.open-controls)').count()

test.each([
  ['desktop', true, 4],
  ['phone', true, 3],
  ['desktop', false, 4],
  ['phone', false, 3],
] as const)('opening a menu closes the others, on a %s with JavaScript: %s', async (size, javaScriptEnabled, count) => {
  const { page, complaints } = await openMembers({ viewport: sizes[size], javaScriptEnabled })
  expect(await menus(page).count()).toBeGreaterThanOrEqual(count)
  for (const menu of await menus(page).all()) {
    await menu.focus()
    await page.keyboard.press('Enter')
    expect(await openMenus(page)).toBe(1)
  }
  await menus(page).last().press('Enter')
  expect([await openMenus(page), complaints]).toEqual([0, []])
})

test.each(['desktop', 'phone'] as const)('Escape and a click outside close any menu on a %s', async (size) => {
  const { page, complaints } = await openMembers({ viewport: sizes[size], javaScriptEnabled: true })
  for (const menu of await menus(page).all()) {
    await menu.click()
    expect(await openMenus(page)).toBe(1)
    // From an element in the menu, the focus returns to the button that opened it.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    expect([await openMenus(page), await menu.evaluate((summary) => summary.matches(':focus'))]).toEqual([0, true])
    await menu.click()
    await page.locator('footer').click({ position: { x: 2, y: 2 } })
    expect(await openMenus(page)).toBe(0)
  }
  // A click on the content of a menu does not close it.
  await page.locator('.person > summary').click()
  await page.getByText('Signed in as').click()
  expect([await openMenus(page), complaints]).toEqual([1, []])
})

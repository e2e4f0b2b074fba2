import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { seedSite, names } from '../../support/account-site/seed.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()

/** Opens a page that has all menus: those of the header and, on a phone, the navigation, or those of rows. */
async function openMembers(size: keyof typeof sizes, javaScriptEnabled: boolean) {
  const { person, team } = await seedSite(service, names.plain)
  const tab = await openTab(browser, service, { viewport: sizes[size], javaScriptEnabled })
  await signInAt(tab, service, person.email)
  await tab.page.goto(`${service.url}/teams/${team.slug}/members`)
  return tab
}

const menus = (page: Page) => page.locator('button[popovertarget]:visible')
const openMenus = (page: Page) => page.locator(':popover-open').count()

const cases = [
  ['desktop', true, 4],
  ['phone', true, 3],
  ['desktop', false, 4],
  ['phone', false, 3],
] as const

test.each(cases)('opening a menu closes the others, on a %s with JavaScript: %s', async (size, javaScriptEnabled, count) => {
  const { page, complaints } = await openMembers(size, javaScriptEnabled)
  expect(await menus(page).count()).toBeGreaterThanOrEqual(count)
  for (const menu of await menus(page).all()) {
    await menu.press('Enter')
    expect(await openMenus(page)).toBe(1)
  }
  await menus(page).last().press('Enter')
  expect([await openMenus(page), complaints]).toEqual([0, []])
})

test.each(cases)('Escape and a click outside close any menu, on a %s with JavaScript: %s', async (size, javaScriptEnabled) => {
  const { page, complaints } = await openMembers(size, javaScriptEnabled)
  for (const menu of await menus(page).all()) {
    await menu.click()
    expect(await openMenus(page)).toBe(1)
    // From an element in the menu, the focus returns to the button that opened it.
    await page.keyboard.press('Tab')
    expect(await page.locator(':popover-open :focus').count()).toBe(1)
    await page.keyboard.press('Escape')
    expect([await openMenus(page), await menu.evaluate((button) => button.matches(':focus'))]).toEqual([0, true])
    await menu.click()
    await page.mouse.click(2, 2)
    expect(await openMenus(page)).toBe(0)
  }
  // A click on the content of a menu does not close it.
  await page.locator('.person > button').click()
  await page.getByText('Signed in as').click()
  expect([await openMenus(page), complaints]).toEqual([1, []])
})

test.each(Object.keys(sizes) as (keyof typeof sizes)[])('a menu is at its button and in the window (%s)', async (size) => {
  const { page } = await openMembers(size, true)
  for (const menu of await menus(page).all()) {
    await menu.click()
    const [button, content] = await Promise.all([menu.boundingBox(), page.locator(':popover-open').boundingBox()])
    if (!button || !content) throw new Error('a menu is not visible')
    expect(content.x >= 0 && content.x + content.width <= sizes[size].width && content.y >= 0).toBe(true)
    const gap = Math.max(content.y - (button.y + button.height), button.y - (content.y + content.height))
    expect(gap >= 0 && gap < 12).toBe(true)
    expect(content.x <= button.x + button.width && content.x + content.width >= button.x).toBe(true)
    // It may lie over the button of the next row.
    await page.keyboard.press('Escape')
  }
})

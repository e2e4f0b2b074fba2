import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessible, openTab, signInAt } from '../../support/browser/tab.ts'
import { enlargeTeam } from '../../support/data/large/large-team.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const chromium = useChromium()
let team: Team
let owner: User
beforeAll(async () => {
  team = await createTeam(database)
  owner = await createPerson(database, { name: 'Olga' })
  await join(database, team, owner, 'owner')
  await enlargeTeam(database, team, clock.now())
})

async function openOnPhone(path: string, options: { javaScriptEnabled?: boolean; width?: number } = {}) {
  const { javaScriptEnabled = true, width = 390 } = options
  const tab = await openTab(chromium, service, { viewport: { width, height: 844 }, hasTouch: true, javaScriptEnabled })
  await signInAt(tab, service, owner.email)
  await tab.page.goto(`${service.url}/teams/${team.slug}${path}`)
  return tab
}

/** The heights of rows that have another number of lines than two, unless a sentence, which is shown in full, needs more. */
const otherRows = (page: Page) =>
  evaluateInPage(page, ({ document }) => {
    const isOther = (row: any): boolean => {
      const shown = [...row.querySelectorAll('th, td:is(.name, .state)')].filter((cell: any) => cell.checkVisibility())
      const extra = Math.max(0, (row.querySelector('td:has(> .sentence)')?.clientHeight ?? 0) - 21)
      return shown.some(({ clientHeight }) => clientHeight > 30 + extra) || row.clientHeight > 66 + extra || row.clientHeight < 44
    }
    return [...document.querySelectorAll('.rows > tbody > tr')]
      .filter(isOther)
      .map(({ innerText, clientHeight }) => [clientHeight, innerText])
  })

const lists = ['/members', '/invoices', '/tokens?all=yes', '/access', '/invitations', '/audit-trail']

test.each(lists)('%s has rows of two lines on a phone, and none is wider than the window', async (path) => {
  const { page, complaints } = await openOnPhone(path)
  expect(await page.locator('.rows > tbody > tr').count()).toBe(50)
  expect(await otherRows(page)).toEqual([])
  for (const width of isFull ? [390, 320] : [320]) {
    await page.setViewportSize({ width, height: 700 })
    await page.locator('.rows th > details > summary').nth(1).click()
    const root = await evaluateInPage(
      page,
      ({ document: { documentElement } }) => documentElement.scrollWidth - documentElement.clientWidth,
    )
    expect(root).toBe(0)
    await expectAccessible(page)
  }
  expect(complaints).toEqual([])
})

describe.each([true, false])('a row on a phone with JavaScript: %s', (javaScriptEnabled) => {
  test('opens and closes with a tap beside its link, and then shows its details and actions', async () => {
    const { page } = await openOnPhone('/members?sort=name', { javaScriptEnabled })
    const row = page.locator('.rows > tbody > tr').nth(2)
    const details = row.locator('td:is(.menu, [data-label]:not(.state)), th .about')
    const shown = async () => (await Promise.all((await details.all()).map((each) => each.isVisible()))).filter(Boolean).length
    const all = await details.count()
    expect([all >= 4, await shown()]).toEqual([true, 0])
    const { width, height } = (await row.boundingBox()) ?? { width: 0, height: 0 }
    await row.tap({ position: { x: width / 2, y: height - 8 } })
    expect(await shown()).toBe(all)
    expect(await row.innerText()).toContain('firstname.lastname.')
    expect(await row.getByRole('link', { name: 'Change role or products' }).isVisible()).toBe(true)
    await row.locator('th > details > summary').tap()
    expect(await shown()).toBe(0)
    // The name leads to the page, and the checkbox selects.
    await row.getByRole('checkbox').tap()
    expect([await row.getByRole('checkbox').isChecked(), await shown()]).toEqual([true, 0])
    await row.getByRole('link').first().tap()
    await page.waitForURL(/members\/./)
  })

  test('opens with the keyboard', async () => {
    const { page } = await openOnPhone('/access', { javaScriptEnabled })
    const row = page.locator('.rows > tbody > tr').first()
    await row.locator('th > details > summary').press('Enter')
    expect(await row.getByText('Revoke access…').isVisible()).toBe(true)
  })
})

test('what can be touched in a row is at least 44 pixels high and wide', async () => {
  const { page } = await openOnPhone('/members')
  const row = page.locator('.rows > tbody > tr').nth(2)
  await row.locator('th > details > summary').tap()
  const small = await evaluateInPage(page, ({ document }) => {
    const all = document.querySelectorAll('.rows > tbody > tr:nth-child(3) :is(a, summary, label)')
    return [...all].flatMap((each: any) => {
      const { width, height } = each.getBoundingClientRect()
      return each.checkVisibility() && (width < 44 || height < 44) ? [[each.innerText, width, height]] : []
    })
  })
  expect(small).toEqual([])
})

test('screen readers meet a table also on a phone: rows with a header and cells that name their column', async () => {
  const { page } = await openOnPhone('/members?size=10')
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: { role?: { value: string }; ignored: boolean }[] }
  const count = (role: string) => nodes.filter((node) => !node.ignored && node.role?.value === role).length
  // The first row has the box that selects all.
  expect([count('table'), count('row'), count('rowheader')]).toEqual([1, 11, 10])
  // The checkbox and the two states; the other cells belong to an opened row.
  expect(count('cell')).toBe(10 * 3)
  await page.locator('.rows th > details > summary').nth(1).tap()
  const row = page.locator('.rows > tbody > tr').nth(1)
  expect(await row.ariaSnapshot()).toMatch(/Products.*Two-factor/s)
})

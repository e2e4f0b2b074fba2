import { beforeAll, expect, test } from 'vitest'
import { Application } from '../../../prisma/generated/client/enums.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, openTab, signInAt } from '../../support/browser/tab.ts'
import type { Tab } from '../../support/browser/tab.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const chromium = useChromium()
const { database, clock } = service

let tab: Tab
beforeAll(async () => {
  const team = await createTeam(database)
  const owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  const invoiceDate = clock.now()
  for (const application of [...Object.values(Application), null])
    await createInvoice(database, team, { invoiceDate, application, tax: 1900n }, [23_456])
  tab = await openTab(chromium, service)
  await signInAt(tab, service, owner.email)
  await tab.page.goto(`${service.url}/teams/${team.slug}/invoices/by-month`)
})

/** How much of the table is hidden on the right, and the colour at its right edge, away from any text. */
async function shownAt(width: number, scrollTo = 0) {
  await tab.page.setViewportSize({ width, height: 900 })
  const hidden = await evaluateInPage(
    tab.page,
    ({ document }, left) => {
      const region = document.querySelector('.table')
      region.scrollLeft = left
      return region.scrollWidth - region.clientWidth - region.scrollLeft
    },
    scrollTo,
  )
  const { x = 0, y = 0, width: size = 0 } = (await tab.page.locator('.table').boundingBox()) ?? {}
  const edge = await tab.page.screenshot({ clip: { x: x + size - 4, y: y + 1, width: 4, height: 4 } })
  return { hidden, edge: edge.toString('base64') }
}

test('the totals of all products fit a desktop', async () => {
  expect(await tab.page.locator('.table thead th').count()).toBe(12)
  expect(await shownAt(1280)).toMatchObject({ hidden: 0 })
})

test('the chart uses the width of the page, and a phone shows all months in a few screens', async () => {
  for (const [width, screens] of [
    [1280, 2],
    [390, 2],
  ] as const) {
    await tab.page.setViewportSize({ width, height: 900 })
    const sizes = await evaluateInPage(tab.page, ({ document }) => ({
      unused: document.querySelector('.chart').parentElement.clientWidth - document.querySelector('.chart').clientWidth,
      months: document.querySelectorAll('.table tbody tr').length,
      height: document.documentElement.scrollHeight,
    }))
    expect(sizes).toMatchObject({ unused: expect.closeTo(width === 390 ? 32 : 48, 0), months: 12 })
    expect(sizes.height).toBeLessThan(screens * 900)
  }
})

test('a table that scrolls shows a shadow at the edge that hides columns', async () => {
  const fitting = await shownAt(1280)
  const cut = await shownAt(900)
  expect(cut.hidden).toBeGreaterThan(0)
  expect(cut.edge).not.toBe(fitting.edge)
  expect(await shownAt(900, 10_000)).toEqual({ hidden: 0, edge: fitting.edge })
})

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectEachPage, thirdOfPages } from '../../support/account-site/each-page.ts'
import { everyPage } from '../../support/account-site/every-page.ts'
import { names } from '../../support/account-site/seed.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectFits, sizes } from '../../support/browser/tab.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()
const options = { viewport: sizes.desktop, name: names.plain }

/** The positions of the parts of a page. */
const positionsOf = (page: Page) =>
  evaluateInPage(page, ({ document }) => {
    const parts = [...document.querySelectorAll('body > :not(.skip), h1')]
    return parts.map((part) => `${part.tagName} ${JSON.stringify(part.getBoundingClientRect())}`)
  })

test('the link that skips to the content moves nothing when it has the focus', async () => {
  let skipLinks = 0
  await expectEachPage(service, browser, { ...options, pagesOf: thirdOfPages(0) }, async (page) => {
    for (const viewport of Object.values(sizes)) {
      await page.setViewportSize(viewport)
      const skip = page.locator('a.skip')
      if ((await skip.count()) === 0) continue
      skipLinks++
      await evaluateInPage(page, ({ document }) => document.activeElement.blur())
      const before = await positionsOf(page)
      await skip.focus()
      expect([page.url(), ...(await positionsOf(page))]).toEqual([page.url(), ...before])
      const box = await skip.boundingBox()
      expect([box?.x, box?.y].every((edge) => edge !== undefined && edge >= 0)).toBe(true)
    }
  })
  expect(skipLinks).toBeGreaterThan(20)
})

/** What paper cannot use, and whether the content has the width of the paper. */
const printedOn = (page: Page) =>
  evaluateInPage(page, ({ document }) => {
    const screenOnly = 'header, footer, nav, .confirm, .selection, .skip, .sidebar, .controls, .pages, button, input[form]'
    const shown = [...document.querySelectorAll(screenOnly)].filter((each: any) => each.checkVisibility())
    const { left, right } = document.querySelector('main').getBoundingClientRect()
    const width = document.documentElement.clientWidth
    return {
      shown: shown.map(({ outerHTML }) => outerHTML.slice(0, 120)),
      margins: [left, width - right].map(Math.round),
      color: document.defaultView.getComputedStyle(document.body).backgroundColor,
    }
  })

test('every page prints its content in black on white, without navigation, over the whole width of the sheet', () =>
  expectEachPage(service, browser, { ...options, colorScheme: 'dark', pagesOf: thirdOfPages(1) }, async (page) => {
    await page.emulateMedia({ media: 'print' })
    const { pathname } = new URL(page.url())
    // A4, portrait and landscape.
    for (const width of [720, 1050]) {
      await page.setViewportSize({ width, height: 1000 })
      const expected = { pathname, width, shown: [], margins: [0, 0], color: 'rgb(255, 255, 255)' }
      expect({ pathname, width, ...(await printedOn(page)) }).toEqual(expected)
    }
    await page.emulateMedia({ media: 'screen' })
  }))

const pagesWithTables: typeof everyPage = (parameters) =>
  everyPage(parameters).filter(({ path }) => /(members|apps|audit-trail|tokens)$/.test(path))

test('pages with tables do not shift while a slow computer reads them', () =>
  expectEachPage(service, browser, { ...options, pagesOf: pagesWithTables }, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    for (let visit = 0; visit < 3; visit++) {
      await page.reload()
      await expectFits(page)
    }
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  }))

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectEachPage, thirdOfPages } from '../../support/account-site/each-page.ts'
import { names } from '../../support/account-site/seed.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { expectCustomerWords } from '../../support/words/page-words.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'
import { expectTargetsForFingers } from '../../support/browser/targets.ts'
import { evaluateInPage, expectAccessibleInBothThemes, expectFits, expectFitsResized, sizes } from '../../support/browser/tab.ts'

// Checks every page in a real Chromium. The list is read from the page declarations, so a new page is included automatically.

const service = useService()
const browser = useChromium()
const desktop = { viewport: sizes.desktop, colorScheme: 'light' } as const
const phone = { viewport: sizes.phone, colorScheme: 'dark' } as const

// About a hundred pages, each in two sizes and two themes.
test('every page fits a desktop and a phone, is small and is accessible in the light and the dark theme', { timeout: 300_000 }, () =>
  expectEachPage(service, browser, { ...desktop, name: names.plain }, async (page) => {
    await expectFits(page)
    await expectAccessibleInBothThemes(page)
    await page.setViewportSize(sizes.phone)
    await expectFitsResized(page)
    await expectTargetsForFingers(page)
    // The rules of axe depend on the size of the window only in few places: the full suite checks both sizes.
    if (isFull) await expectAccessibleInBothThemes(page)
    await page.setViewportSize(sizes.desktop)
  }),
)

/** Properties of the visible content of a page without scripts. */
const shownOn = (page: Page) =>
  evaluateInPage(page, ({ document }) => {
    const main = document.querySelector('main')
    const all = (selector: string): any[] => [...main.querySelectorAll(selector)].filter((element) => element.checkVisibility())
    const named = all('h1, h2, h3, p, li, dt, dd, th, legend, label, button, a, summary, option')
    return {
      headings: all('h1').length,
      isFilled: all('form, table, dl, ul, ol, p a, h2 a, .buttons a, .heading a').length > 0,
      empty: named.filter((element) => element.innerText.trim() === '' && !element.querySelector('svg')).map(({ outerHTML }) => outerHTML),
      scripted: all('[data-passkey], [data-copy]').length,
      asksForScripts: /javascript/i.test(main.innerText),
    }
  })

test('every page works without JavaScript, except passkeys and trying an app, and has words that customers know', async () => {
  const pathsThatNeedScripts: string[] = []
  await expectEachPage(service, browser, { ...desktop, javaScriptEnabled: false, name: names.plain }, async (page) => {
    const { pathname } = new URL(page.url())
    const { asksForScripts, ...shown } = await shownOn(page)
    expect({ pathname, ...shown }).toEqual({ pathname, headings: 1, isFilled: true, empty: [], scripted: 0 })
    if (asksForScripts) pathsThatNeedScripts.push(pathname)
    expectCustomerWords(await page.content(), pathname)
  })
  const tryIt = [expect.stringMatching(/^\/teams\/[\w-]+\/developers\/[\w-]+\/quick-start$/), '/developers/try']
  expect(pathsThatNeedScripts).toEqual(['/security/passkeys/new', ...tryIt])
})

const kinds = [
  ['hostile', 0],
  ['rightToLeft', 1],
  ['long', 2],
] as const
test.each(kinds)('every page fits the window with a %s name', async (kind, third) => {
  const name = names[kind]
  await expectEachPage(service, browser, { ...phone, name, pagesOf: thirdOfPages(third) }, expectFits)
  if (isFull) await expectEachPage(service, browser, { ...desktop, name }, expectFits)
})

import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { names, seedSite } from '../../support/account-site/seed.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { createUser, join } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()
let seeded: Awaited<ReturnType<typeof seedSite>>
beforeAll(async () => {
  seeded = await seedSite(service, names.plain)
  for (let count = 0; count < 25; count++) await join(service.database, seeded.team, await createUser(service.database), 'member')
})

/** Where the header is, and whether the element with the focus is visible and not under the header or the buttons of a long form. */
const stateOf = (page: Page) =>
  evaluateInPage(page, ({ document, innerHeight, innerWidth }) => {
    const header = document.querySelector('header')
    const { x, y, width, height } = header.getBoundingClientRect()
    const focused = document.activeElement
    const box = focused.getBoundingClientRect()
    const isInHeader = header.contains(focused) || focused.matches('.skip')
    const middle = document.elementFromPoint(
      Math.min(Math.max(box.x + box.width / 2, 0), innerWidth - 1),
      Math.min(Math.max(box.y + Math.min(box.height / 2, 20), 0), innerHeight - 1),
    )
    const buttons = document.querySelector('.sticky.buttons')
    const isCovered = header.contains(middle) || (buttons !== null && !buttons.contains(focused) && buttons.contains(middle))
    return {
      header: [x, y, width, height],
      isHidden: focused !== document.body && !isInHeader && isCovered ? focused.outerHTML.slice(0, 200) : null,
      isAtEnd: focused === document.body,
    }
  })

test.each([
  ['desktop', true],
  ['phone', true],
  ['desktop', false],
  ['phone', false],
] as const)(
  'the header stays in its place, and covers nothing with the focus, while Tab moves through a page, on a %s with JavaScript: %s',
  async (size, javaScriptEnabled) => {
    const tab = await openTab(browser, service, { viewport: sizes[size], javaScriptEnabled })
    const { page, complaints } = tab
    await signInAt(tab, service, seeded.person.email)
    const team = `/teams/${seeded.team.slug}`
    for (const path of [`${team}/members`, '/security', '/tokens/new', `${team}/developers/${seeded.parameters.client}/settings`]) {
      await page.goto(service.url + path)
      const { header } = await stateOf(page)
      expect(header).toEqual([0, 0, sizes[size].width, expect.any(Number)])
      let steps = 0
      for (; steps < 200; steps++) {
        await page.keyboard.press('Tab')
        const state = await stateOf(page)
        if (state.isAtEnd) break
        expect([path, steps, state.header, state.isHidden]).toEqual([path, steps, header, null])
      }
      expect(steps).toBeGreaterThan(8)
      for (const key of ['End', 'Shift+Tab', 'Shift+Tab', 'Home']) {
        await page.keyboard.press(key)
        expect([path, key, (await stateOf(page)).header]).toEqual([path, key, header])
      }
    }
    expect(complaints).toEqual([])
  },
)

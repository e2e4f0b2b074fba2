import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessible, openTab, signInAt } from '../../support/browser/tab.ts'
import { enlargeTeam } from '../../support/data/large/large-team.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { openAs } from '../../support/account-site/page-content.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'

// Tables of a team with 1,000 members, 300 team tokens, 300 personal tokens of members, 1,000 invoices, 300 invitations and 1,000
// audit entries.

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

const pages = [
  '/members',
  '/access?sort=-created',
  '/access?kind=PERSONAL_TOKEN&person=a&sort=last_used',
  '/members?sort=last_active&search=a&role=MEMBER',
  '/tokens',
  '/tokens?all=yes&search=pipe&sort=-last_used',
  '/invitations',
  '/invitations?search=guest&sort=email',
  '/audit-trail',
  '/audit-trail?action=updateMember&actor=a&search=pipe&sort=actor',
  '/invoices',
  '/invoices?status=PAID&product=DEPLOY&search=inv&sort=-due',
]

test.each(pages)('%s is small, and the number of statements does not depend on the rows', async (path) => {
  const { browser } = await openAs(service, owner, '/security')
  service.statements.length = 0
  const address = `/teams/${team.slug}${path}`
  const { status, root } = await browser.open(address)
  const html = root.toString()
  // One statement authenticates the session and one reads the user's teams; last use is written in the background.
  const statements = service.statements.filter((text) => !/last_used_at = u\.at|SET last_team_id/.test(text))
  expect([status, root.querySelectorAll('.rows tbody tr').length >= 50]).toEqual([200, true])
  expect(html.length).toBeLessThan(110_000)
  expect(gzipSync(html).length).toBeLessThan(60_000)
  // The audit log also reads the objects that still exist, with one statement for all of the same type: here tokens and members. The
  // amounts above the invoices do not follow the search, so a statement of their own reads them.
  const most = path.startsWith('/audit-trail') ? 5 : path.startsWith('/invoices') ? 4 : 3
  expect(statements.length).toBeLessThanOrEqual(most)
})

// The tables share their styles: outside of the full suite, the two with the widest rows represent the others.
const shown = isFull ? pages : ['/members', '/invoices']
test.each(shown)(
  '%s cuts no text of columns on a desk or a tablet or in opened rows on a phone, and never scrolls sideways',
  async (path) => {
    const tab = await openTab(chromium, service)
    await signInAt(tab, service, owner.email)
    for (const width of [1280, 900, 800, 768, 375]) {
      await tab.page.setViewportSize({ width, height: 800 })
      await tab.page.goto(`${service.url}/teams/${team.slug}${path}`)
      for (const row of await tab.page.locator('.rows th > details > summary:visible').all()) await row.click()
      const layout = await evaluateInPage(tab.page, ({ document, getComputedStyle }) => {
        const root = document.documentElement
        const row = document.querySelector('.rows tbody tr')
        const cells: any[] = [...document.querySelectorAll('.rows :is(th, td):not(:has(> .who))')]
        const cut = cells.filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth).length
        const [table, card] = ['.rows', '.data'].map((selector) => document.querySelector(selector).getBoundingClientRect())
        return {
          overflow: Math.max(root.scrollWidth - root.clientWidth, Math.ceil(table.right - card.right)),
          display: getComputedStyle(row).display,
          cut,
        }
      })
      expect(layout).toEqual({ overflow: 0, display: width <= 768 ? 'grid' : 'table-row', cut: 0 })
      if (width === 1280 || width === 375) await expectAccessible(tab.page)
    }
    expect(tab.complaints).toEqual([])
  },
)

test('the headings of a long list stay below the header of the page, and leave the row that gets the focus visible', async () => {
  const tab = await openTab(chromium, service)
  await signInAt(tab, service, owner.email)
  await tab.page.goto(`${service.url}/teams/${team.slug}/members`)
  await tab.page.locator('.rows tbody tr').nth(40).scrollIntoViewIfNeeded()
  const edges = (selector: string) =>
    evaluateInPage(tab.page, ({ document }, selector) => document.querySelector(selector).getBoundingClientRect().toJSON(), selector)
  const [header, headings] = [await edges('.site > header'), await edges('.rows > thead th')]
  expect(headings.top).toBe(header.bottom)
  await tab.page.locator('.rows tbody tr').nth(45).locator('a').first().focus()
  for (let presses = 0; presses < 60; presses++) await tab.page.keyboard.press('Shift+Tab')
  expect((await edges('.rows :focus')).top).toBeGreaterThanOrEqual((await edges('.rows > thead th')).bottom)
  expect(tab.complaints).toEqual([])
})

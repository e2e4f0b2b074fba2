import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessible, expectFits, expectFitsResized, openTab, signInAt } from '../../support/browser/tab.ts'
import { enlargeTeam } from '../../support/data/large/large-team.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const chromium = useChromium()
const roles = ['owner', 'billing', 'member'] as const
const users = new Map<string, User>()
let team: Team
beforeAll(async () => {
  team = await createTeam(database)
  for (const role of roles) {
    const user = await createPerson(database)
    await join(database, team, user, role)
    users.set(role, user)
  }
  await enlargeTeam(database, team, clock.now())
  const app = { teamId: team.id, name: 'Deploy', description: 'Builds and deploys each push.' }
  await database.prisma.connectedApp.create({ data: { ...app, application: 'deploy', url: 'https://deploy.example/' } })
})

/** Parts that lead somewhere, without those whose corners and middle all lead there. */
const partsWithGaps = (page: Page) =>
  evaluateInPage(page, ({ document }) => {
    const hasGap = (part: any): boolean => {
      part.scrollIntoView()
      const link = part.querySelector('a')
      const { left, right, top, bottom } = part.getBoundingClientRect()
      const inset = 12
      const points = [
        [left + inset, top + inset],
        [right - inset, bottom - inset],
        [(left + right) / 2, (top + bottom) / 2],
      ]
      return bottom - top < 44 || points.some(([x, y]) => document.elementFromPoint(x, y)?.closest('a') !== link)
    }
    const parts = [...document.querySelectorAll('main .linked')]
    return { count: parts.length, gaps: parts.filter(hasGap).map(({ innerText }) => innerText) }
  })

/** What a finger could miss: targets that are less than 44 pixels high and do not cover their part. */
const smallTargets = (page: Page) =>
  evaluateInPage(page, ({ document }) =>
    [...document.querySelectorAll('main :is(a, button)')].flatMap((each: any) =>
      each.closest('.linked') || each.getBoundingClientRect().height >= 44 ? [] : [each.innerText],
    ),
  )

describe.each(roles)('the start page of the role %s', (role) => {
  const expected = { owner: 4, billing: 7, member: 1 }[role]

  test.each([true, false])('leads on from any point of a card, with JavaScript: %s', async (javaScriptEnabled) => {
    const tab = await openTab(chromium, service, { javaScriptEnabled })
    const { page, complaints } = tab
    await signInAt(tab, service, users.get(role)?.email ?? '')
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${service.url}/teams/${team.slug}`)
      await (javaScriptEnabled ? expectFits(page) : expectFitsResized(page))
      const { count, gaps } = await partsWithGaps(page)
      expect([width, count >= expected, gaps]).toEqual([width, true, []])
    }
    expect(await smallTargets(page)).toEqual([])
    if (javaScriptEnabled) await expectAccessible(page)
    expect([complaints, tab.weight() < 60_000]).toEqual([[], true])
  })
})

test('the focus is visible around the whole card', async () => {
  const tab = await openTab(chromium, service)
  await signInAt(tab, service, users.get('owner')?.email ?? '')
  await tab.page.goto(`${service.url}/teams/${team.slug}`)
  await tab.page.locator('main').getByRole('link', { name: 'Team tokens' }).focus()
  const outline = await evaluateInPage(tab.page, ({ document, getComputedStyle }) => {
    const { outlineStyle, width, height } = getComputedStyle(document.activeElement, '::after')
    const card = document.activeElement.closest('.card')
    const missing = [card.clientWidth - Number.parseFloat(width), card.clientHeight - Number.parseFloat(height)]
    return { outlineStyle, missing: missing.map(Math.round).map(Math.abs) }
  })
  expect(outline).toEqual({ outlineStyle: 'solid', missing: [0, 0] })
  await tab.page.keyboard.press('Enter')
  await tab.page.waitForURL(/tokens\?sort=expires/)
})

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessible, openTab, signInAt } from '../../support/browser/tab.ts'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const chromium = useChromium()
let team: Team
let owner: User
beforeAll(async () => {
  team = await createTeam(database)
  owner = await createPerson(database, { name: 'Olga' })
  await join(database, team, owner, 'owner')
  for (let index = 10; index < 30; index++) await join(database, team, await createUser(database, { name: `Ben ${index}` }), 'member')
})

const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' })
/** The text of the bar with what the styles add. */
const countIn = (page: Page) =>
  evaluateInPage(page, ({ document, getComputedStyle }) => {
    const { content } = getComputedStyle(document.querySelector('.bulk .count'), '::before')
    return document.querySelector('.bulk .count').checkVisibility() && content !== 'none'
  })
const colorOf = (page: Page, name: string) =>
  bar(page)
    .getByRole('button', { name })
    .evaluate((button) => getComputedStyle(button).color)

describe.each([
  [true, 1280],
  [false, 1280],
  [true, 390],
  [false, 390],
])('the bar of selected rows, with JavaScript: %s, at %i pixels', (javaScriptEnabled, width) => {
  async function openMembers() {
    const tab = await openTab(chromium, service, { javaScriptEnabled, viewport: { width, height: 800 } })
    await signInAt(tab, service, owner.email)
    await tab.page.goto(`${service.url}/teams/${team.slug}/members`)
    return tab
  }

  test('appears within the window with the first selected row, moves nothing, and goes with the last', async () => {
    const { page, complaints } = await openMembers()
    expect(await bar(page).isVisible()).toBe(false)
    const first = page.getByLabel('Select Ben 10')
    const before = await first.boundingBox()
    await first.check()
    expect([await bar(page).isVisible(), await countIn(page), await first.boundingBox()]).toEqual([true, true, before])
    const box = await bar(page).boundingBox()
    expect(box && box.y + box.height).toBeLessThanOrEqual(800)
    if (javaScriptEnabled) await expectAccessible(page)
    await first.uncheck()
    expect(await bar(page).isVisible()).toBe(false)
    expect(complaints).toEqual([])
  })

  test('has no dangerous button until the removal was chosen and the names were shown', async () => {
    const { page } = await openMembers()
    await page.getByLabel('Select Ben 11').check()
    await page.getByLabel('Select Ben 12').check()
    const neutral = await colorOf(page, 'Continue')
    expect(await bar(page).locator('.danger').count()).toBe(0)
    await bar(page).getByLabel('Action').selectOption('Change role to Billing')
    await bar(page).getByRole('button', { name: 'Continue' }).click()
    await bar(page).getByText('They get the role Billing immediately.').waitFor()
    expect([await bar(page).getByRole('listitem').allInnerTexts(), await bar(page).locator('.danger').count()]).toEqual([
      ['Ben 11', 'Ben 12'],
      0,
    ])
    await bar(page).getByRole('link', { name: 'Cancel' }).click()
    await page.getByLabel('Select Ben 13').check()
    await bar(page).getByLabel('Action').selectOption('Remove from the team')
    await bar(page).getByRole('button', { name: 'Continue' }).click()
    expect(await colorOf(page, 'Remove 1 member')).not.toBe(neutral)
    if (javaScriptEnabled) await expectAccessible(page)
    expect(await database.prisma.member.count({ where: { teamId: team.id } })).toBe(21)
  })
})

test('the bar needs an action', async () => {
  const tab = await openTab(chromium, service)
  await signInAt(tab, service, owner.email)
  await tab.page.goto(`${service.url}/teams/${team.slug}/members`)
  await tab.page.getByLabel('Select all on this page (21)').check()
  await bar(tab.page).getByRole('button', { name: 'Continue' }).click()
  expect(await evaluateInPage(tab.page, ({ document }) => document.querySelector('select[name=action]').validity.valueMissing)).toBe(true)
  expect(await bar(tab.page).getByRole('list').count()).toBe(0)
})

import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab, signInAt } from '../../support/browser/tab.ts'
import type { Tab } from '../../support/browser/tab.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createTeam, createUser, join, teamToken } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const chromium = useChromium()

describe.each([
  ['desk', 1280],
  ['phone', 375],
] as const)('the menu of a row on a %s', (_, width) => {
  let tab: Tab
  let team: Team
  let member: User
  beforeAll(async () => {
    team = await createTeam(database)
    const owner = await createPerson(database, { name: 'Olga' })
    member = await createUser(database, { name: 'Ben' })
    await join(database, team, owner, 'owner')
    await join(database, team, member, 'member')
    await teamToken(database, team)
    await createInvoice(database, team, { number: 'ACME-1' })
    tab = await openTab(chromium, service, { viewport: { width, height: 700 } })
    await signInAt(tab, service, owner.email)
  })

  /** Opens the menu of a row, which on a phone is part of the opened row. */
  const openMenu = (row: Locator) => row.locator('th > details > summary:visible, .row-menu > button:visible').click()

  /** Opens the menu of a row, chooses an item and returns the path that the browser is at then. */
  async function choose(path: string, name: string, item: string): Promise<string> {
    const { page } = tab
    await page.goto(`${service.url}/teams/${team.slug}${path}`)
    const row = page.locator('.rows tr').filter({ has: page.getByRole('button', { name: `Actions for ${name}`, includeHidden: true }) })
    const choice = row.getByRole('link', { name: item })
    expect(await choice.isVisible()).toBe(false)
    await openMenu(row)
    await choice.click()
    await page.waitForURL((url) => url.pathname !== `/teams/${team.slug}${path}`)
    const { pathname, hash } = new URL(page.url())
    return pathname.replace(`/teams/${team.slug}`, '') + hash
  }

  test('links to the pages that change a member', async () => {
    expect(await choose('/members', 'Ben', 'Change role or products')).toBe(`/members/${member.id}`)
    expect(await choose('/members', 'Ben', 'Remove from the team')).toBe(`/members/${member.id}#remove`)
    expect(await tab.page.locator('#remove').isVisible()).toBe(true)
  })

  test('of a user’s own row leaves the team', async () => {
    await tab.page.goto(`${service.url}/teams/${team.slug}/members`)
    const row = tab.page.locator('.rows tr').filter({ hasText: '(you)' })
    await openMenu(row)
    expect(await row.getByRole('link', { name: 'Remove from the team' }).count()).toBe(0)
    await row.getByRole('link', { name: 'Leave the team' }).click()
    await tab.page.getByRole('dialog', { name: 'Leave the team?' }).waitFor()
  })

  test('links to the pages that rename and rotate a token, and to the confirmation that revokes it', async () => {
    const { id } = await database.prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    for (const [item, hash] of [
      ['Edit name', '#rename'],
      ['Rotate token', '#rotate'],
    ] as const) {
      expect(await choose('/tokens', 'test', item)).toBe(`/tokens/${id}${hash}`)
      expect(await tab.page.locator(hash).isVisible()).toBe(true)
    }
    await tab.page.goto(`${service.url}/teams/${team.slug}/tokens`)
    await openMenu(tab.page.locator('.rows tbody tr'))
    await tab.page.getByRole('link', { name: 'Revoke test' }).click()
    await tab.page.getByRole('dialog', { name: 'Revoke token?' }).waitFor()
  })

  test('links to an invoice and its PDF', async () => {
    const { id } = await database.prisma.invoice.findFirstOrThrow({ where: { teamId: team.id } })
    expect(await choose('/invoices', 'invoice ACME-1', 'View invoice')).toBe(`/invoices/${id}`)
    const { page } = tab
    await page.goto(`${service.url}/teams/${team.slug}/invoices`)
    await openMenu(page.locator('.rows tbody tr'))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download PDF', exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Invoice ACME-1.pdf')
  })

  test('revokes the access of one token after a confirmation', async () => {
    const { page, complaints } = tab
    const token = await database.prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    await page.goto(`${service.url}/teams/${team.slug}/access`)
    await openMenu(page.locator('.rows tbody tr'))
    await page.getByText('Revoke access…').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click()
    await page.getByRole('status').waitFor()
    expect(await page.getByRole('status').innerText()).toBe('The access of test was revoked.')
    expect(await database.prisma.accessToken.findUnique({ where: { id: token.id } })).toMatchObject({ revokedAt: expect.any(Date) })
    expect(complaints).toEqual([])
  })
})

test('all rows of a page can be selected with the keyboard, and are listed by name before they are changed', async () => {
  const team = await createTeam(database)
  const owner = await createPerson(database, { name: 'Olga' })
  await join(database, team, owner, 'owner')
  for (const name of ['Ben', 'Cy']) await join(database, team, await createUser(database, { name }), 'member')
  const tab = await openTab(chromium, service)
  const { page, complaints } = tab
  await signInAt(tab, service, owner.email)
  await page.goto(`${service.url}/teams/${team.slug}/members`)
  const all = page.getByLabel('Select all on this page (3)')
  await all.focus()
  await page.keyboard.press('Space')
  const olga = page.getByLabel('Select Olga')
  expect([await all.isChecked(), await olga.isChecked()]).toEqual([true, true])
  await olga.uncheck()
  expect(await all.isChecked()).toBe(false)
  await page.getByLabel('Action', { exact: true }).selectOption('Remove from the team')
  await page.getByRole('button', { name: 'Continue' }).click()
  const selected = page.getByRole('group', { name: 'Selected' })
  await selected.waitFor()
  expect((await selected.innerText()).split('\n').filter(Boolean).toSorted()).toEqual([
    'Ben',
    'Cy',
    'They lose access to the team immediately, and so do their personal tokens and connected apps. Team tokens that they created remain.',
  ])
  expect(await database.prisma.member.count({ where: { teamId: team.id } })).toBe(3)
  await page.getByRole('button', { name: 'Remove 2 members' }).click()
  await page.getByText('were removed from the team.').waitFor()
  expect(await database.prisma.member.count({ where: { teamId: team.id } })).toBe(1)
  expect(complaints).toEqual([])
})

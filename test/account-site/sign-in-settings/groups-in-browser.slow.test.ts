import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { expectAccessibleInBothThemes, expectFits, expectFitsResized, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { createOwnedTeam, join } from '../../support/data/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const browser = useChromium()
const { database, url } = service

test('an owner adds, changes and removes a group on a phone with the keyboard', { timeout: 60_000 }, async () => {
  const { team } = await createOwnedTeam(database)
  const owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  const tab = await openTab(browser, service, { viewport: sizes.phone })
  const { page, complaints } = tab
  await signInAt(tab, service, owner.email)
  await page.goto(`${url}/teams/${team.slug}/sign-in`)
  await page.getByRole('link', { name: 'View the groups' }).press('Enter')
  await page.getByRole('link', { name: 'Add group' }).press('Enter')
  await page.getByLabel('Group', { exact: true }).waitFor()
  await page.keyboard.type('Platform Engineering')
  expect(await page.getByLabel('Certificates').isVisible()).toBe(false)
  await page.getByLabel('Only selected products').press('Space')
  await page.getByLabel('Certificates').press('Space')
  await expectFitsResized(page)
  await expectAccessibleInBothThemes(page)
  await page.getByLabel('Group', { exact: true }).press('Enter')
  await page.getByText('The group “Platform Engineering” was added.').waitFor()
  await expectFits(page)
  await page.getByRole('link', { name: 'Platform Engineering' }).press('Enter')
  await page.getByRole('radio', { name: /^Billing/ }).press('Space')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('The group “Platform Engineering” was saved.').waitFor()
  expect(await database.prisma.groupRole.findMany({ where: { teamId: team.id } })).toMatchObject([
    { group: 'Platform Engineering', role: 'billing', applications: ['cert'] },
  ])
  await page.getByRole('link', { name: 'Platform Engineering' }).press('Enter')
  await page.getByRole('link', { name: 'Remove…' }).press('Enter')
  await page.getByRole('button', { name: 'Remove this group' }).press('Enter')
  await page.getByText('was removed.').waitFor()
  expect(complaints).toEqual([])
})

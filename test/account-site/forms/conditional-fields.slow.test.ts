import { describe, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, createUser, join } from '../../support/data/team.ts'
import { openTab, signInAt } from '../../support/browser/tab.ts'

// Fields that belong to one choice are visible only while it is selected. Users then do not fill in fields without effect.

const service = useService()
const { database } = service
const browser = useChromium()

async function owner() {
  const person = await createPerson(database)
  const team = await createTeam(database)
  await join(database, team, person, 'owner')
  return { person, team }
}

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  test('the token form shows the day field for a chosen day and submits it', async () => {
    const { person } = await owner()
    const tab = await openTab(browser, service, { javaScriptEnabled })
    await signInAt(tab, service, person.email)
    const { page } = tab
    await page.goto(`${service.url}/tokens/new`)
    const day = page.getByLabel('Custom date').and(page.locator('input[type=date]'))
    expect(await day.isVisible()).toBe(false)
    await page.getByLabel('Custom date').and(page.locator('input[type=radio]')).check()
    const chosen = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    await day.fill(chosen)
    await page.getByLabel('Name', { exact: true }).fill('Backups')
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('heading', { name: 'Copy your token' }).waitFor()
    const { expiresAt } = await database.prisma.accessToken.findFirstOrThrow({ where: { userId: person.id } })
    expect(expiresAt?.toISOString()).toBe(`${chosen}T23:59:59.999Z`)
  })

  test('the token form keeps an invalid day visible, since it prevents the submission', async () => {
    const { person } = await owner()
    const tab = await openTab(browser, service, { javaScriptEnabled })
    await signInAt(tab, service, person.email)
    const { page } = tab
    await page.goto(`${service.url}/tokens/new`)
    await page.getByLabel('Custom date').and(page.locator('input[type=radio]')).check()
    await page.getByLabel('Custom date').and(page.locator('input[type=date]')).fill('2020-01-01')
    await page.getByLabel('30 days').check()
    expect(await page.getByLabel('Custom date').and(page.locator('input[type=date]')).isVisible()).toBe(true)
  })

  test('the member form shows the products for limited access and submits them', async () => {
    const { person, team } = await owner()
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const tab = await openTab(browser, service, { javaScriptEnabled })
    await signInAt(tab, service, person.email)
    const { page } = tab
    await page.goto(`${service.url}/teams/${team.slug}/members/${member.id}`)
    const cert = page.getByLabel('Certificates')
    expect(await cert.isVisible()).toBe(false)
    await page.getByLabel('Only selected products').check()
    await cert.check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The role and products of Ada were saved.').waitFor()
    const where = { teamId: team.id, userId: member.id }
    const { allApplications, applications } = await database.prisma.member.findFirstOrThrow({ where })
    expect([allApplications, applications]).toEqual([false, ['cert']])
  })
})

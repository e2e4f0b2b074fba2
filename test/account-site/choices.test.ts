import { describe, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { createPerson } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createTeam, createUser, join } from '../support/team.ts'
import { openTab, signInAt } from '../support/tab.ts'

// What belongs to a choice is asked for where it is made alone: nobody fills in what would then not count.

const service = await startService()
const { database } = service
const browser = await launchChromium()

async function owner() {
  const person = await createPerson(database)
  const team = await createTeam(database)
  await join(database, team, person, 'owner')
  return { person, team }
}

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  test('a day is asked for by a token that works until one, and then counts', async () => {
    const { person } = await owner()
    const tab = await openTab(browser, service, { javaScriptEnabled })
    await signInAt(tab, service, person.email)
    const { page } = tab
    await page.goto(`${service.url}/tokens/new`)
    const day = page.getByLabel('That day')
    expect(await day.isVisible()).toBe(false)
    await page.getByLabel('Until the end of a day that I choose').check()
    const chosen = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    await day.fill(chosen)
    await page.getByLabel('Name', { exact: true }).fill('Backups')
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('heading', { name: 'Copy the token now' }).waitFor()
    const { expiresAt } = await database.prisma.accessToken.findFirstOrThrow({ where: { userId: person.id } })
    expect(expiresAt?.toISOString()).toBe(`${chosen}T23:59:59.999Z`)
  })

  test('a day that cannot be is not hidden, or nobody would see what keeps the form', async () => {
    const { person } = await owner()
    const tab = await openTab(browser, service, { javaScriptEnabled })
    await signInAt(tab, service, person.email)
    const { page } = tab
    await page.goto(`${service.url}/tokens/new`)
    await page.getByLabel('Until the end of a day that I choose').check()
    await page.getByLabel('That day').fill('2020-01-01')
    await page.getByLabel('30 days').check()
    expect(await page.getByLabel('That day').isVisible()).toBe(true)
  })

  test('applications are asked for where not all are meant, and then count', async () => {
    const { person, team } = await owner()
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const tab = await openTab(browser, service, { javaScriptEnabled })
    await signInAt(tab, service, person.email)
    const { page } = tab
    await page.goto(`${service.url}/teams/${team.slug}/members/${member.id}`)
    const cert = page.getByLabel('Cert')
    expect(await cert.isVisible()).toBe(false)
    await page.getByLabel('Only those that I choose').check()
    await cert.check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The member was changed.').waitFor()
    const where = { teamId: team.id, userId: member.id }
    const { allApplications, applications } = await database.prisma.member.findFirstOrThrow({ where })
    expect([allApplications, applications]).toEqual([false, ['cert']])
  })
})

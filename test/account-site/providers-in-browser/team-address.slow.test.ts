import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { pressEnterOn } from '../../support/browser/keyboard.ts'
import { openTab } from '../../support/browser/tab.ts'
import { createTeam } from '../../support/data/team.ts'
import {
  createOrganizationTeam,
  expectNoComplaints,
  expectPage,
  link,
  logIn,
  looks,
} from '../../support/identity-providers/organization-team.ts'
import { addProvider } from '../../support/identity-providers/team-provider.ts'
import { useService } from '../../support/service/service.ts'

// `/sign-in/{team}`, the address that a team gives to its members.

const service = useService({ hostname: 'localhost' })
const browser = useChromium()
const { database } = service

test.each(looks)('the sign-in URL of a team with one provider leads there at once, and then into the team (%s)', async (_, options) => {
  const { organization, team } = await createOrganizationTeam(service)
  const tab = await openTab(browser, service, options)
  const { page } = tab
  await page.goto(`${service.url}/sign-in/${team.slug}`)
  await logIn(tab)
  await page.waitForURL(`${service.url}/teams/${team.slug}`)
  await expectPage(tab, 'Overview')
  // Whoever is signed in already stays so, and is asked nothing.
  await page.goto(`${service.url}/sign-in/${team.slug}?return_to=/account`)
  await page.waitForURL(`${service.url}/account`)
  expectNoComplaints(tab, organization)
})

test.each(looks)('the sign-in URL of a team with several providers offers each of them (%s)', async (_, options) => {
  const { organization, team } = await createOrganizationTeam(service)
  const unusedProvider = { issuer: 'https://idp.example', clientId: 'client', clientSecret: 'secretOfTheSecondProvider' }
  await addProvider(database, team, unusedProvider, { name: 'W'.repeat(60) })
  const tab = await openTab(browser, service, options)
  const { page } = tab
  await page.goto(`${service.url}/sign-in/${team.slug}`)
  await expectPage(tab, 'Sign in')
  expect(
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Continue with/ })
      .count(),
  ).toBe(2)
  await pressEnterOn(tab, /^Continue with Acme ID$/)
  await logIn(tab)
  await page.waitForURL(`${service.url}/teams/${team.slug}`)
  expectNoComplaints(tab, organization)
})

test.each(looks)('the sign-in URL of a team without a verified domain names the host first (%s)', async (_, options) => {
  const { organization, team } = await createOrganizationTeam(service)
  await database.prisma.teamDomain.deleteMany({ where: { teamId: team.id } })
  const tab = await openTab(browser, service, options)
  const { page } = tab
  const { host } = new URL(organization.issuer)
  await page.goto(`${service.url}/sign-in/${team.slug}`)
  await expectPage(tab, `Continue to ${host}?`)
  await pressEnterOn(tab, /^Continue$/)
  await logIn(tab)
  await page.waitForURL(`${service.url}/teams/${team.slug}`)
  // The team is known in this browser then.
  await page.context().clearCookies({ name: /^session/ })
  await page.goto(`${service.url}/sign-in/${team.slug}`)
  await page.waitForURL(`${service.url}/teams/${team.slug}`)
  expectNoComplaints(tab, organization)
})

test.each(looks)('the sign-in URL of a team without a provider shows the ordinary sign-in page (%s)', async (_, options) => {
  const { slug } = await createTeam(database)
  const tab = await openTab(browser, service, options)
  const { page } = tab
  for (const each of [slug, 'no-such-team']) {
    await page.goto(`${service.url}/sign-in/${each}`)
    await expectPage(tab, 'Sign in')
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    await link(page, 'Create an account').waitFor()
  }
  expectNoComplaints(tab)
})

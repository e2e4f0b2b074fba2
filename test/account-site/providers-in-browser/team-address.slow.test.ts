import { expect, test } from 'vitest'
import { createTeam } from '../../support/data/team.ts'
import { looks, useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import { addProvider } from '../../support/identity-providers/team-provider.ts'

// `/sign-in/{team}`, the address that a team gives to its members.

const { service, database, createOrganizationTeam, openTab } = useProviderScene()

test.each(looks)('the sign-in URL of a team with one provider leads there at once, and then into the team (%s)', async (_, options) => {
  const { organization, team } = await createOrganizationTeam()
  const tab = await openTab(options)
  const { page } = tab
  await tab.goto(`/sign-in/${team.slug}`)
  await tab.logIn()
  await page.waitForURL(`${service.url}/teams/${team.slug}`)
  await tab.expectPage('Overview')
  // Whoever is signed in already stays so, and is asked nothing.
  await tab.goto(`/sign-in/${team.slug}?return_to=/account`)
  await page.waitForURL(`${service.url}/account`)
  tab.expectNoComplaints(organization)
})

test.each(looks)('the sign-in URL of a team with several providers offers each of them (%s)', async (_, options) => {
  const { organization, team } = await createOrganizationTeam()
  const unusedProvider = { issuer: 'https://idp.example', clientId: 'client', clientSecret: 'secretOfTheSecondProvider' }
  await addProvider(database, team, unusedProvider, { name: 'W'.repeat(60) })
  const tab = await openTab(options)
  const { page } = tab
  await tab.goto(`/sign-in/${team.slug}`, 'Sign in')
  expect(
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Continue with/ })
      .count(),
  ).toBe(2)
  await tab.pressEnterOn(/^Continue with Acme ID$/)
  await tab.logIn()
  await page.waitForURL(`${service.url}/teams/${team.slug}`)
  tab.expectNoComplaints(organization)
})

test.each(looks)('the sign-in URL of a team without a verified domain names the host first (%s)', async (_, options) => {
  const { organization, team } = await createOrganizationTeam()
  await database.prisma.teamDomain.deleteMany({ where: { teamId: team.id } })
  const tab = await openTab(options)
  const { page } = tab
  const { host } = new URL(organization.issuer)
  await tab.goto(`/sign-in/${team.slug}`, `Continue to ${host}?`)
  await tab.pressEnterOn(/^Continue$/)
  await tab.logIn()
  await page.waitForURL(`${service.url}/teams/${team.slug}`)
  // The team is known in this browser then.
  await page.context().clearCookies({ name: /^session/ })
  await tab.goto(`/sign-in/${team.slug}`)
  await page.waitForURL(`${service.url}/teams/${team.slug}`)
  tab.expectNoComplaints(organization)
})

test.each(looks)('the sign-in URL of a team without a provider shows the ordinary sign-in page (%s)', async (_, options) => {
  const { slug } = await createTeam(database)
  const tab = await openTab(options)
  const { page } = tab
  for (const each of [slug, 'no-such-team']) {
    await tab.goto(`/sign-in/${each}`, 'Sign in')
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    await tab.link('Create an account').waitFor()
  }
  tab.expectNoComplaints()
})

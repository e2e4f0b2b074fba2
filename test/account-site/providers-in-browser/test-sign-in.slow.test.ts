import { expect, test } from 'vitest'
import { join } from '../../support/data/team.ts'
import { looks, useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider } from '../../support/identity-providers/team-provider.ts'
import { createPerson } from '../../support/oauth/oauth.ts'

// The test sign-in of an owner, when the provider does not send what is needed. When it does: provider-settings.slow.test.ts.

const { service, database, url, createOrganizationTeam, openTab } = useProviderScene()
const providers = useProviders(service.clock.now)

/** A signed-in owner on the page of the provider. */
async function ownerAtProvider(options: Parameters<typeof openTab>[0], data = {}) {
  const created = await createOrganizationTeam(data)
  const owner = await createPerson(database)
  await join(database, created.team, owner, 'owner')
  const tab = await openTab(options)
  await tab.signIn(owner.email)
  const at = (id: string) => `${url}/teams/${created.team.slug}/sign-in/${id}`
  await tab.page.goto(at(created.provider.id))
  await tab.expectPage('Acme ID')
  return { ...created, owner, tab, page: tab.page, at }
}

test.each(looks)('a test sign-in names the claims that the provider does not send (%s)', async (_, options) => {
  const { organization, owner, tab, page } = await ownerAtProvider(options, { groupsClaim: 'groups' })
  organization.person = { sub: 'ada' }
  await tab.link('Test sign-in').press('Enter')
  await tab.logIn('Log in', 'Acme ID')
  await page.getByText('sends no email address').waitFor()
  await page.getByText('sends no groups').waitFor()
  // It links no account, and leaves the session as it is.
  expect(await database.prisma.externalIdentity.count({ where: { userId: owner.id } })).toBe(0)
  await page.goto(`${url}/account`)
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(owner.name)
  tab.expectNoComplaints(organization)
})

test.each(looks)('a test sign-in that fails names the claim that is wrong, and leads back (%s)', async (_, options) => {
  const { tab, page, team, at } = await ownerAtProvider(options)
  const provider = await providers.create()
  provider.idToken = (claims) => provider.sign({ ...claims, aud: 'another-client' })
  const row = await addProvider(database, team, provider, { name: 'Wrong audience' })
  await page.goto(at(row.id))
  await tab.link('Test sign-in').press('Enter')
  await tab.expectPage('The test sign-in failed')
  expect(await page.getByRole('alert').textContent()).toMatch(/aud.*another-client/)
  await tab.link('Back').click()
  await tab.expectPage('Wrong audience')
  await tab.link('Test sign-in').waitFor()
  tab.expectNoComplaints(provider)
})

test.each(looks)('a test sign-in with a wrong client secret says that the provider refused it (%s)', async (_, options) => {
  const { organization, provider, tab, page, at } = await ownerAtProvider(options)
  await tab.link('Settings').last().click()
  await page.getByLabel('Client secret').fill('aWrongSecretOfTheService')
  await page.getByLabel('Client secret').press('Enter')
  await page.getByText('The settings were saved. Test the sign-in.').waitFor()
  await tab.expectPage('Acme ID')
  await tab.link('Overview').last().click()
  await tab.link('Test sign-in').click()
  await tab.logIn('Log in', 'The test sign-in failed')
  expect(await page.getByRole('alert').textContent()).toContain('invalid_client')
  await page.goto(at(provider.id))
  await page.getByText('Not tested').first().waitFor()
  tab.expectNoComplaints(organization)
})

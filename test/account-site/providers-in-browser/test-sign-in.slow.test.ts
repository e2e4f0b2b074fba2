import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab, signInAt } from '../../support/browser/tab.ts'
import { join } from '../../support/data/team.ts'
import {
  createOrganizationTeam,
  expectNoComplaints,
  expectPage,
  link,
  logIn,
  looks,
} from '../../support/identity-providers/organization-team.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { addProvider } from '../../support/identity-providers/team-provider.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// The test sign-in of an owner, when the provider does not send what is needed. When it does: provider-settings.slow.test.ts.

const service = useService({ hostname: 'localhost' })
const browser = useChromium()
const { database, url } = service
const providers = useProviders(service.clock.now)

/** A signed-in owner on the page of the provider. */
async function ownerAtProvider(options: Parameters<typeof openTab>[2], data = {}) {
  const created = await createOrganizationTeam(service, data)
  const owner = await createPerson(database)
  await join(database, created.team, owner, 'owner')
  const tab = await openTab(browser, service, options)
  await signInAt(tab, service, owner.email)
  const at = (id: string) => `${url}/teams/${created.team.slug}/sign-in/${id}`
  await tab.page.goto(at(created.provider.id))
  await expectPage(tab, 'Acme ID')
  return { ...created, owner, tab, page: tab.page, at }
}

test.each(looks)('a test sign-in names the claims that the provider does not send (%s)', async (_, options) => {
  const { organization, owner, tab, page } = await ownerAtProvider(options, { groupsClaim: 'groups' })
  organization.person = { sub: 'ada' }
  await link(page, 'Test sign-in').press('Enter')
  await logIn(tab)
  await expectPage(tab, 'Result of the test sign-in')
  await page.getByText('The provider sends no claim email.').waitFor()
  await page.getByText('The provider does not send the claim groups').waitFor()
  // It links no account, and leaves the session as it is.
  expect(await database.prisma.externalIdentity.count({ where: { userId: owner.id } })).toBe(0)
  await page.goto(`${url}/account`)
  expect(await page.getByLabel('Name').inputValue()).toBe(owner.name)
  expectNoComplaints(tab, organization)
})

test.each(looks)('a test sign-in that fails names the claim that is wrong, and leads back (%s)', async (_, options) => {
  const { tab, page, team, at } = await ownerAtProvider(options)
  const provider = await providers.create()
  provider.idToken = (claims) => provider.sign({ ...claims, aud: 'another-client' })
  const row = await addProvider(database, team, provider, { name: 'Wrong audience' })
  await page.goto(at(row.id))
  await link(page, 'Test sign-in').press('Enter')
  await expectPage(tab, 'The test sign-in failed')
  expect(await page.getByRole('alert').textContent()).toMatch(/aud.*another-client/)
  await link(page, 'Back').click()
  await expectPage(tab, 'Result of the test sign-in')
  await link(page, 'Test sign-in').waitFor()
  expectNoComplaints(tab, provider)
})

test.each(looks)('a test sign-in with a wrong client secret says that the provider refused it (%s)', async (_, options) => {
  const { organization, provider, tab, page, at } = await ownerAtProvider(options)
  await page.locator('summary', { hasText: 'Settings' }).click()
  await page.getByLabel('Client secret').fill('aWrongSecretOfTheService')
  await page.getByLabel('Client secret').press('Enter')
  await page.getByText('The settings were saved. Test the sign-in.').waitFor()
  await expectPage(tab, 'Acme ID')
  await link(page, 'Test sign-in').click()
  await logIn(tab)
  await expectPage(tab, 'The test sign-in failed')
  expect(await page.getByRole('alert').textContent()).toContain('invalid_client')
  await page.goto(at(provider.id))
  await page.getByText('Not tested').first().waitFor()
  expectNoComplaints(tab, organization)
})

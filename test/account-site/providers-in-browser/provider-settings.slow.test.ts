import { describe, expect, test } from 'vitest'
import { evaluateInPage, sizes } from '../../support/browser/tab.ts'
import { createTeam, join, unique } from '../../support/data/team.ts'
import { publishTxt } from '../../support/domains/name-server.ts'
import { startOrganization } from '../../support/identity-providers/organization.ts'
import { looks, useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import type { SceneTab } from '../../support/identity-providers/provider-scene.ts'
import { createPerson } from '../../support/oauth/oauth.ts'

// What an owner sets up under Sign-in of a team. Groups: ../sign-in-settings/groups-in-browser.slow.test.ts.

const { service, database, prisma, url, openTab } = useProviderScene()

/** A signed-in owner of a team on the page Sign-in. */
async function ownerOf(options: Parameters<typeof openTab>[0]) {
  const team = await createTeam(database)
  const owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  const tab = await openTab(options)
  await tab.signIn(owner.email)
  const settings = `${url}/teams/${team.slug}/sign-in`
  await tab.page.goto(settings)
  await tab.expectPage('Sign-in')
  return { team, owner, tab, page: tab.page, settings }
}

/** Adds the provider of an organization by the guide for Keycloak, with a keyboard alone. */
async function addProvider(tab: SceneTab) {
  const organization = await startOrganization()
  const { page } = tab
  await tab.pressEnterOn(/^New identity provider$/, 'New identity provider')
  await tab.pressEnterOn(/^Keycloak$/)
  await page.locator('#redirect-uri').waitFor()
  await tab.expectPage('New identity provider')
  organization.register((await page.locator('#redirect-uri').textContent()) ?? '')
  await tab.typeInto(/^Issuer$/, organization.issuer)
  await tab.typeInto(/^Client ID$/, organization.clientId)
  await tab.typeInto(/^Client secret$/, organization.clientSecret)
  await page.keyboard.press('Enter')
  await page.getByText('The identity provider was added. Test the sign-in now.').waitFor()
  await tab.expectPage('Keycloak')
  return organization
}

test.each(looks)('an owner adds a provider by its guide, tests it, verifies a domain and requires the sign-in (%s)', async (_, options) => {
  const { team, tab, page, settings } = await ownerOf(options)
  const organization = await addProvider(tab)
  const domain = `${unique('acme')}.example`
  organization.person = { sub: 'ada', name: 'Ada Lovelace', email: `ada@${domain}` }
  await tab.pressEnterOn(/^Test sign-in$/)
  await tab.logIn('Log in', 'Keycloak')
  await page.getByText('The identity provider sent everything that this service uses.').waitFor()
  await page.getByRole('cell', { name: `ada@${domain}` }).waitFor()
  await page.locator('summary', { hasText: 'Everything the provider sent' }).press('Enter')
  await page.locator('#claims').getByText('email_verified').waitFor()

  await page.goto(settings)
  await tab.expectPage('Sign-in')
  await page.getByRole('table').getByText('Tested', { exact: true }).waitFor()
  await tab.link('View the domains').press('Enter')
  await tab.expectPage('Domains')
  await tab.typeInto(/^Domain$/, domain)
  await page.keyboard.press('Enter')
  await page.getByText(`${domain} was added.`).waitFor()
  await tab.expectPage('Domains')
  await publishTxt(service, `_team-account.${domain}`, [])
  await tab.button('Verify').press('Enter')
  await page.getByText(`There is no TXT record _team-account.${domain}.`).waitFor()
  await tab.expectPage('Domains')
  await publishTxt(service, `_team-account.${domain}`, [(await page.locator('#value-0').textContent()) ?? ''])
  await tab.button('Verify').press('Enter')
  await page.getByText(`${domain} is verified.`).waitFor()
  await tab.expectPage('Domains')

  await page.goto(settings)
  await tab.link('View the requirement').press('Enter')
  await tab.expectPage('Required sign-in')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Require sign-in through / })
    .press('Enter')
  await page.getByText('No members are affected at the moment.').waitFor()
  await tab.button('Require sign-in').press('Enter')
  await page.getByText('The affected members received an email.').waitFor()
  await tab.expectPage('Required sign-in')
  expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).signInProviderId).not.toBeNull()
  await tab.button('Stop requiring it').press('Enter')
  await page.getByText('Sign-in is no longer required').waitFor()
  tab.expectNoComplaints(organization)
})

describe('the guide', () => {
  test.each(looks)('for each provider and protocol fits the window (%s)', async (_, options) => {
    const { tab, page, settings } = await ownerOf(options)
    for (const provider of ['entra', 'okta', 'google', 'keycloak', 'other']) {
      await page.goto(`${settings}/new?provider=${provider}`)
      await tab.expectPage('New identity provider')
      const saml = page.getByRole('navigation', { name: 'Protocol' }).getByRole('link', { name: 'SAML 2.0' })
      await saml.press('Enter')
      await page.getByLabel('Metadata').waitFor()
      await tab.expectPage('New identity provider')
      expect(await saml.getAttribute('aria-current')).toBe('page')
    }
    tab.expectNoComplaints()
  })

  test('copies the redirect URI', async () => {
    const { tab, page, settings } = await ownerOf({ viewport: sizes.phone, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${settings}/new?provider=other`)
    await tab.button('Copy redirect URI').press('Enter')
    await page.getByText('Copied.').waitFor()
    const copied = await evaluateInPage(page, ({ navigator }) => navigator.clipboard.readText())
    expect(copied).toBe(await page.locator('#redirect-uri').textContent())
    tab.expectNoComplaints()
  })

  test.each(looks)('shows why an issuer is refused, and keeps what was entered (%s)', async (_, options) => {
    const { tab, page, settings } = await ownerOf(options)
    await page.goto(`${settings}/new?provider=okta`)
    await page.getByLabel('Issuer').fill('http://127.0.0.1:9')
    await page.getByLabel('Client ID').fill('client-1')
    await page.getByLabel('Client secret').fill('secret')
    await tab.button('Add identity provider').click()
    await page.getByRole('alert').getByText('The connection was refused.').first().waitFor()
    await tab.expectPage('New identity provider')
    expect([await page.getByLabel('Client ID').inputValue(), await page.getByLabel('Client secret').inputValue()]).toEqual(['client-1', ''])
    tab.expectNoComplaints()
  })
})

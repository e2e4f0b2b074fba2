import { describe, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { pressEnterOn, typeInto } from '../../support/browser/keyboard.ts'
import { evaluateInPage, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import type { Tab } from '../../support/browser/tab.ts'
import { createTeam, join, unique } from '../../support/data/team.ts'
import { publishTxt } from '../../support/domains/name-server.ts'
import { startOrganization } from '../../support/identity-providers/organization.ts'
import { button, expectNoComplaints, expectPage, link, logIn, looks } from '../../support/identity-providers/organization-team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What an owner sets up under Sign-in of a team. Groups: ../sign-in-settings/groups-in-browser.slow.test.ts.

const service = useService({ hostname: 'localhost' })
const browser = useChromium()
const { database, url } = service
const { prisma } = database

/** A signed-in owner of a team on the page Sign-in. */
async function ownerOf(options: Parameters<typeof openTab>[2]) {
  const team = await createTeam(database)
  const owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  const tab = await openTab(browser, service, options)
  await signInAt(tab, service, owner.email)
  const settings = `${url}/teams/${team.slug}/sign-in`
  await tab.page.goto(settings)
  await expectPage(tab, 'Sign-in')
  return { team, owner, tab, page: tab.page, settings }
}

/** Adds the provider of an organization by the guide for Keycloak, with a keyboard alone. */
async function addProvider(tab: Tab) {
  const organization = await startOrganization()
  const { page } = tab
  await pressEnterOn(tab, /^New identity provider$/)
  await expectPage(tab, 'New identity provider')
  await pressEnterOn(tab, /^Keycloak$/)
  await page.locator('#redirect-uri').waitFor()
  await expectPage(tab, 'New identity provider')
  organization.register((await page.locator('#redirect-uri').textContent()) ?? '')
  await typeInto(tab, /^Issuer$/, organization.issuer)
  await typeInto(tab, /^Client ID$/, organization.clientId)
  await typeInto(tab, /^Client secret$/, organization.clientSecret)
  await page.keyboard.press('Enter')
  await page.getByText('The identity provider was added. Test the sign-in now.').waitFor()
  await expectPage(tab, 'Keycloak')
  return organization
}

test.each(looks)('an owner adds a provider by its guide, tests it, verifies a domain and requires the sign-in (%s)', async (_, options) => {
  const { team, tab, page, settings } = await ownerOf(options)
  const organization = await addProvider(tab)
  const domain = `${unique('acme')}.example`
  organization.person = { sub: 'ada', name: 'Ada Lovelace', email: `ada@${domain}` }
  await pressEnterOn(tab, /^Test sign-in$/)
  await logIn(tab)
  await expectPage(tab, 'Result of the test sign-in')
  await page.getByText('Everything that this service reads was there.').waitFor()
  await page.getByRole('cell', { name: `ada@${domain}` }).waitFor()
  await page.locator('summary', { hasText: 'Everything the provider sent' }).press('Enter')
  await page.locator('#claims').getByText('email_verified').waitFor()

  await page.goto(settings)
  await expectPage(tab, 'Sign-in')
  await page.getByRole('table').getByText('Tested', { exact: true }).waitFor()
  await link(page, 'View the domains').press('Enter')
  await expectPage(tab, 'Domains')
  await typeInto(tab, /^Domain$/, domain)
  await page.keyboard.press('Enter')
  await page.getByText(`${domain} was added.`).waitFor()
  await expectPage(tab, 'Domains')
  await publishTxt(service, `_team-account.${domain}`, [])
  await button(page, 'Verify').press('Enter')
  await page.getByText(`There is no TXT record _team-account.${domain}.`).waitFor()
  await expectPage(tab, 'Domains')
  await publishTxt(service, `_team-account.${domain}`, [(await page.locator('#value-0').textContent()) ?? ''])
  await button(page, 'Verify').press('Enter')
  await page.getByText(`${domain} is verified.`).waitFor()
  await expectPage(tab, 'Domains')

  await page.goto(settings)
  await link(page, 'View the requirement').press('Enter')
  await expectPage(tab, 'Required sign-in')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Require sign-in through / })
    .press('Enter')
  await page.getByText('No member is concerned at present.').waitFor()
  await button(page, 'Require sign-in').press('Enter')
  await page.getByText('The members concerned received an email.').waitFor()
  await expectPage(tab, 'Required sign-in')
  expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).signInProviderId).not.toBeNull()
  await button(page, 'Stop requiring it').press('Enter')
  await page.getByText('Sign-in is no longer required').waitFor()
  expectNoComplaints(tab, organization)
})

describe('the guide', () => {
  test.each(looks)('for each provider and protocol fits the window (%s)', async (_, options) => {
    const { tab, page, settings } = await ownerOf(options)
    for (const provider of ['entra', 'okta', 'google', 'keycloak', 'other']) {
      await page.goto(`${settings}/new?provider=${provider}`)
      await expectPage(tab, 'New identity provider')
      const saml = page.getByRole('navigation', { name: 'Protocol' }).getByRole('link', { name: 'SAML 2.0' })
      await saml.press('Enter')
      await page.getByLabel('Metadata').waitFor()
      await expectPage(tab, 'New identity provider')
      expect(await saml.getAttribute('aria-current')).toBe('page')
    }
    expectNoComplaints(tab)
  })

  test('copies the redirect URI', async () => {
    const { tab, page, settings } = await ownerOf({ viewport: sizes.phone, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${settings}/new?provider=other`)
    await button(page, 'Copy redirect URI').press('Enter')
    await page.getByText('Copied.').waitFor()
    const copied = await evaluateInPage(page, ({ navigator }) => navigator.clipboard.readText())
    expect(copied).toBe(await page.locator('#redirect-uri').textContent())
    expectNoComplaints(tab)
  })

  test.each(looks)('shows why an issuer is refused, and keeps what was entered (%s)', async (_, options) => {
    const { tab, page, settings } = await ownerOf(options)
    await page.goto(`${settings}/new?provider=okta`)
    await page.getByLabel('Issuer').fill('http://127.0.0.1:9')
    await page.getByLabel('Client ID').fill('client-1')
    await page.getByLabel('Client secret').fill('secret')
    await button(page, 'Add identity provider').click()
    await page.getByRole('alert').getByText('The connection was refused.').first().waitFor()
    await expectPage(tab, 'New identity provider')
    expect([await page.getByLabel('Client ID').inputValue(), await page.getByLabel('Client secret').inputValue()]).toEqual(['client-1', ''])
    expectNoComplaints(tab)
  })
})

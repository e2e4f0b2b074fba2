import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { pressEnterOn } from '../../support/browser/keyboard.ts'
import { openTab, signInAt } from '../../support/browser/tab.ts'
import { join } from '../../support/data/team.ts'
import {
  button,
  createOrganizationTeam,
  expectNoComplaints,
  expectPage,
  link,
  logIn,
  looks,
} from '../../support/identity-providers/organization-team.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Confirmation at a provider, and the accounts there that are connected under Security.

const service = useService({ hostname: 'localhost' })
const browser = useChromium()
const { database, clock } = service
const { prisma } = database
const hour = 3_600_000

test.each(looks)(
  'a member without a password confirms a sign-in at the provider, which asks for the login again (%s)',
  async (_, options) => {
    const { organization, team } = await createOrganizationTeam(service)
    const tab = await openTab(browser, service, options)
    const { page } = tab
    await page.goto(`${service.url}/sign-in/${team.slug}?return_to=/account`)
    await logIn(tab)
    await expectPage(tab, 'Profile')
    const { userId } = await prisma.externalIdentity.findFirstOrThrow({ where: { subject: organization.person.sub } })
    await prisma.session.updateMany({ where: { userId }, data: { authenticatedAt: new Date(clock.now().getTime() - hour) } })
    await page.goto(`${service.url}/security/passkeys/new`)
    await expectPage(tab, 'Confirm it’s you')
    expect(await page.getByLabel('Password').count()).toBe(0)
    await pressEnterOn(tab, /^Confirm with Acme ID$/)
    await logIn(tab, 'Cancel')
    await expectPage(tab, 'Sign-in failed')
    await link(page, 'Confirm another way').click()
    await expectPage(tab, 'Confirm it’s you')
    await pressEnterOn(tab, /^Confirm with Acme ID$/)
    await page.getByRole('heading', { name: 'Organization login' }).waitFor()
    await pressEnterOn(tab, /^Log in$/)
    await expectPage(tab, 'Add a passkey')
    expect(organization.requested).toMatchObject({ prompt: 'login' })
    expectNoComplaints(tab, organization)
  },
)

test.each(looks)('a user connects an account at the provider, signs in with it, and disconnects it (%s)', async (_, options) => {
  const { organization, team } = await createOrganizationTeam(service)
  organization.person.email = 'grace@elsewhere.example'
  const user = await createPerson(database)
  await join(database, team, user, 'member')
  const tab = await openTab(browser, service, options)
  const { page } = tab
  await signInAt(tab, service, user.email)
  await page.goto(`${service.url}/security`)
  await expectPage(tab, 'Sign-in and security')
  await page.getByRole('main').locator('a[href="/security/accounts"]').first().click()
  await expectPage(tab, 'Connected accounts')
  // A form leads to the provider: the policy of the page must allow its redirect.
  await button(page, 'Connect Acme ID').press('Enter')
  await logIn(tab)
  await page.getByText('You can now sign in through Acme ID.').waitFor()
  await expectPage(tab, 'Connected accounts')
  await page.getByText('grace@elsewhere.example').waitFor()

  await page.context().clearCookies({ domain: 'localhost' })
  await page.goto(`${service.url}/sign-in/${team.slug}?return_to=/security/accounts`)
  await expectPage(tab, 'Confirm it’s you')
  await page.getByLabel('Password').fill(password)
  await button(page, 'Continue').click()
  await expectPage(tab, 'Connected accounts')
  await button(page, 'Remove Acme ID').press('Enter')
  await page.getByText('You can no longer sign in through “Acme ID”.').waitFor()
  await expectPage(tab, 'Connected accounts')
  expect(await prisma.externalIdentity.count({ where: { userId: user.id } })).toBe(0)
  expectNoComplaints(tab, organization)
})

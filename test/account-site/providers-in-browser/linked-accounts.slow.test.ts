import { expect, test } from 'vitest'
import { join } from '../../support/data/team.ts'
import { looks, useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'

// Confirmation at a provider, and the accounts there that are connected under Security.

const { database, prisma, clock, createOrganizationTeam, openTab } = useProviderScene()
const hour = 3_600_000

test.each(looks)(
  'a member without a password confirms a sign-in at the provider, which asks for the login again (%s)',
  async (_, options) => {
    const { organization, team } = await createOrganizationTeam()
    const tab = await openTab(options)
    const { page } = tab
    await tab.goto(`/sign-in/${team.slug}?return_to=/account`)
    await tab.logIn('Log in', 'Profile')
    const { userId } = await prisma.externalIdentity.findFirstOrThrow({ where: { subject: organization.person.sub } })
    await prisma.session.updateMany({ where: { userId }, data: { authenticatedAt: new Date(clock.now().getTime() - hour) } })
    await tab.goto('/security/passkeys/new', 'Confirm it’s you')
    expect(await page.getByLabel('Password').count()).toBe(0)
    await tab.pressEnterOn(/^Confirm with Acme ID$/)
    await tab.logIn('Cancel', 'Sign-in failed')
    await tab.link('Confirm another way').click()
    await tab.expectPage('Confirm it’s you')
    await tab.pressEnterOn(/^Confirm with Acme ID$/)
    await page.getByRole('heading', { name: 'Organization login' }).waitFor()
    await tab.pressEnterOn(/^Log in$/, 'Add a passkey')
    expect(organization.requested).toMatchObject({ prompt: 'login' })
    tab.expectNoComplaints(organization)
  },
)

test.each(looks)('a user links an account at the provider, signs in with it, and removes it (%s)', async (_, options) => {
  const { organization, team } = await createOrganizationTeam()
  organization.person.email = 'grace@elsewhere.example'
  const user = await createPerson(database)
  await join(database, team, user, 'member')
  const tab = await openTab(options)
  const { page } = tab
  await tab.signIn(user.email)
  await tab.goto('/security', 'Sign-in and security')
  await page.getByRole('main').locator('a[href="/security/accounts"]').first().click()
  await tab.expectPage('Linked accounts')
  // A form leads to the provider: the policy of the page must allow its redirect.
  await tab.button('Link Acme ID').press('Enter')
  await tab.logIn()
  await page.getByText('You can now sign in through Acme ID.').waitFor()
  await tab.expectPage('Linked accounts')
  await page.getByText('grace@elsewhere.example').waitFor()

  await page.context().clearCookies({ domain: 'localhost' })
  await tab.goto(`/sign-in/${team.slug}?return_to=/security/accounts`, 'Confirm it’s you')
  await page.getByLabel('Password').fill(password)
  await tab.button('Continue').click()
  await tab.expectPage('Linked accounts')
  await tab.button('Remove Acme ID').press('Enter')
  await page.getByText('You can no longer sign in through “Acme ID”.').waitFor()
  await tab.expectPage('Linked accounts')
  expect(await prisma.externalIdentity.count({ where: { userId: user.id } })).toBe(0)
  tab.expectNoComplaints(organization)
})

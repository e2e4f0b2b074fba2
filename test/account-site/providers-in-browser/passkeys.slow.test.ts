import { expect, test } from 'vitest'
import { sizes } from '../../support/browser/tab.ts'
import { addAuthenticator } from '../../support/browser/virtual-authenticator.ts'
import { join } from '../../support/data/team.ts'
import { useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import type { SceneTab } from '../../support/identity-providers/provider-scene.ts'
import { createPerson } from '../../support/oauth/oauth.ts'

// Passkeys in place of a password, and of the provider. They need JavaScript.

const { service, database, prisma, createOrganizationTeam, openTab } = useProviderScene()
const viewports = Object.entries(sizes)

/** Signs in with the password and adds a passkey. Returns a function that sets whether its user verification succeeds. */
async function addPasskey(tab: SceneTab, email: string) {
  const { page } = tab
  const setVerified = await addAuthenticator(page)
  await tab.signIn(email)
  await tab.goto('/security/passkeys/new')
  await page.getByLabel('Name').fill('Laptop')
  await page.keyboard.press('Enter')
  await page.getByText('The passkey “Laptop” was added.').waitFor()
  return setVerified
}

test.each(viewports)(
  'a passkey proves an account at the first sign-in at the provider, but not if it is refused (%s)',
  async (_, viewport) => {
    const { organization, team, email } = await createOrganizationTeam()
    const person = await createPerson(database, { email })
    const tab = await openTab({ viewport })
    const { page } = tab
    const setVerified = await addPasskey(tab, email)
    await page.context().clearCookies()
    await tab.goto(`/sign-in/${team.slug}?return_to=/teams/${team.slug}/members`)
    await tab.logIn('Log in', 'Is this your account?')
    await setVerified(false)
    await tab.button('Use a passkey').click()
    await page.getByText('No passkey was used. Try again.').waitFor()
    expect(await prisma.externalIdentity.count({ where: { userId: person.id } })).toBe(0)
    await setVerified(true)
    await tab.button('Use a passkey').click()
    await page.getByText('You can now sign in through Acme ID.').waitFor()
    await tab.expectPage('Members')
    expect(await prisma.externalIdentity.count({ where: { userId: person.id } })).toBe(1)
    tab.expectNoComplaints(organization)
  },
)

test.each(viewports)('an owner opens a team with a passkey that requires sign-in through a provider (%s)', async (_, viewport) => {
  const { organization, team, provider, email } = await createOrganizationTeam({ testedAt: new Date() })
  const owner = await createPerson(database, { email })
  await join(database, team, owner, 'owner')
  const tab = await openTab({ viewport })
  const { page } = tab
  const setVerified = await addPasskey(tab, email)
  const now = service.clock.now()
  const requirement = { signInProviderId: provider.id, signInRequiredAt: now, signInRequirementSetAt: now }
  await prisma.team.update({ where: { id: team.id }, data: requirement })
  await tab.goto(`/teams/${team.slug}/members`, 'Sign in through Acme ID')
  await tab.link('Open with your passkey').click()
  await tab.expectPage('Open the team with your passkey')
  await setVerified(false)
  await tab.button('Open with your passkey').click()
  await page.getByText('No passkey was used. Try again.').waitFor()
  await setVerified(true)
  await tab.button('Open with your passkey').press('Enter')
  await tab.expectPage('Members')
  expect(await prisma.auditEntry.count({ where: { teamId: team.id, action: 'openTeamAsOwner', actorUserId: owner.id } })).toBe(1)
  // In another session the team is closed.
  const other = await openTab({ viewport })
  await other.signIn(email)
  await other.goto(`/teams/${team.slug}/members`, 'Sign in through Acme ID')
  for (const each of [tab, other]) each.expectNoComplaints(organization)
})

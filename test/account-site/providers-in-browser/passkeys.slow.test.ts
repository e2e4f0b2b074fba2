import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import type { Tab } from '../../support/browser/tab.ts'
import { addAuthenticator } from '../../support/browser/virtual-authenticator.ts'
import { join } from '../../support/data/team.ts'
import {
  button,
  createOrganizationTeam,
  expectNoComplaints,
  expectPage,
  link,
  logIn,
} from '../../support/identity-providers/organization-team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Passkeys in place of a password, and of the provider. They need JavaScript.

const service = useService({ hostname: 'localhost' })
const browser = useChromium()
const { database } = service
const { prisma } = database
const viewports = Object.entries(sizes)

/** Signs in with the password and adds a passkey. Returns a function that sets whether its user verification succeeds. */
async function addPasskey(tab: Tab, email: string) {
  const { page } = tab
  const setVerified = await addAuthenticator(page)
  await signInAt(tab, service, email)
  await page.goto(`${service.url}/security/passkeys/new`)
  await page.getByLabel('Name').fill('Laptop')
  await page.keyboard.press('Enter')
  await page.getByText('The passkey “Laptop” was added.').waitFor()
  return setVerified
}

test.each(viewports)(
  'a passkey proves an account at the first sign-in at the provider, but not if it is refused (%s)',
  async (_, viewport) => {
    const { organization, team, email } = await createOrganizationTeam(service)
    const person = await createPerson(database, { email })
    const tab = await openTab(browser, service, { viewport })
    const { page } = tab
    const setVerified = await addPasskey(tab, email)
    await page.context().clearCookies()
    await page.goto(`${service.url}/sign-in/${team.slug}?return_to=/teams/${team.slug}/members`)
    await logIn(tab)
    await expectPage(tab, 'Is this your account?')
    await setVerified(false)
    await button(page, 'Use a passkey').click()
    await page.getByText('No passkey was used. Try again.').waitFor()
    expect(await prisma.externalIdentity.count({ where: { userId: person.id } })).toBe(0)
    await setVerified(true)
    await button(page, 'Use a passkey').click()
    await page.getByText('You can now sign in through Acme ID.').waitFor()
    await expectPage(tab, 'Members')
    expect(await prisma.externalIdentity.count({ where: { userId: person.id } })).toBe(1)
    expectNoComplaints(tab, organization)
  },
)

test.each(viewports)('an owner opens a team with a passkey that requires sign-in through a provider (%s)', async (_, viewport) => {
  const { organization, team, provider, email } = await createOrganizationTeam(service, { testedAt: new Date() })
  const owner = await createPerson(database, { email })
  await join(database, team, owner, 'owner')
  const tab = await openTab(browser, service, { viewport })
  const { page } = tab
  const setVerified = await addPasskey(tab, email)
  const now = service.clock.now()
  const requirement = { signInProviderId: provider.id, signInRequiredAt: now, signInRequirementSetAt: now }
  await prisma.team.update({ where: { id: team.id }, data: requirement })
  await page.goto(`${service.url}/teams/${team.slug}/members`)
  await expectPage(tab, 'Sign in through Acme ID')
  await link(page, 'Open with your passkey').click()
  await expectPage(tab, 'Open the team with your passkey')
  await setVerified(false)
  await button(page, 'Open with your passkey').click()
  await page.getByText('No passkey was used. Try again.').waitFor()
  await setVerified(true)
  await button(page, 'Open with your passkey').press('Enter')
  await expectPage(tab, 'Members')
  expect(await prisma.auditEntry.count({ where: { teamId: team.id, action: 'openTeamAsOwner', actorUserId: owner.id } })).toBe(1)
  // In another session the team is closed.
  const other = await openTab(browser, service, { viewport })
  await signInAt(other, service, email)
  await other.page.goto(`${service.url}/teams/${team.slug}/members`)
  await expectPage(other, 'Sign in through Acme ID')
  for (const each of [tab, other]) expectNoComplaints(each, organization)
})

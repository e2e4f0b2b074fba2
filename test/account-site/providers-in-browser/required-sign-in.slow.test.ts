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

// A team that requires sign-in through its provider. Owners with a passkey: passkeys.slow.test.ts.

const service = useService({ hostname: 'localhost' })
const browser = useChromium()
const { database, clock } = service
const { prisma } = database

/** A member who signed in with the password, in a team that requires sign-in after so many milliseconds. */
async function memberWithPassword(options: Parameters<typeof openTab>[2], milliseconds = 0) {
  const created = await createOrganizationTeam(service, { testedAt: new Date() })
  const { team, provider, email } = created
  const signInRequiredAt = new Date(clock.now().getTime() + milliseconds)
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: provider.id, signInRequiredAt } })
  const member = await createPerson(database, { email })
  await join(database, team, member, 'member')
  const tab = await openTab(browser, service, options)
  const { page } = tab
  const path = `/teams/${team.slug}/members`
  await signInAt(tab, service, email)
  await page.goto(service.url + path)
  return { ...created, member, tab, page, path }
}

test.each(looks)(
  'a member with a password session is refused, signs in through the provider and is back in the team (%s)',
  async (_, options) => {
    const { organization, provider, member, tab, page, path } = await memberWithPassword(options)
    await expectPage(tab, 'Sign in through Acme ID')
    // An owner only can open the team with a passkey.
    expect(await link(page, 'Open with your passkey').count()).toBe(0)
    await link(page, 'Continue to Acme ID').click()
    await logIn(tab)
    await expectPage(tab, 'Is this your account?')
    await link(page, 'Confirm it’s you').click()
    await expectPage(tab, 'Confirm it’s you')
    await page.getByLabel('Password').fill(password)
    await button(page, 'Continue').click()
    await expectPage(tab, 'Members')
    expect(new URL(page.url()).pathname).toBe(path)
    const sessions = await prisma.session.findMany({ where: { userId: member.id }, select: { providerIds: true } })
    expect(sessions).toEqual([{ providerIds: [provider.id] }])
    expectNoComplaints(tab, organization)
  },
)

test.each(looks)('a member who is linked already needs only the provider, with a keyboard alone (%s)', async (_, options) => {
  const { organization, provider, member, tab, page } = await memberWithPassword(options)
  const { sub: subject } = organization.person
  const data = { providerId: provider.id, subject, userId: member.id, email: member.email, lastSignInAt: clock.now() }
  await prisma.externalIdentity.create({ data })
  await expectPage(tab, 'Sign in through Acme ID')
  await pressEnterOn(tab, /^Continue to Acme ID$/)
  await page.getByRole('heading', { name: 'Organization login' }).waitFor()
  await pressEnterOn(tab, /^Log in$/)
  await expectPage(tab, 'Members')
  expectNoComplaints(tab, organization)
})

test.each(looks)('before the requirement begins, a banner on the pages of the team leads to the provider (%s)', async (_, options) => {
  const { organization, tab, page } = await memberWithPassword(options, 86_400_000)
  await expectPage(tab, 'Members')
  await link(page, 'Continue to the identity provider').click()
  await logIn(tab)
  await expectPage(tab, 'Is this your account?')
  await page.goto(`${service.url}/account`)
  await expectPage(tab, 'Profile')
  await link(page, 'Continue to the identity provider').waitFor()
  expectNoComplaints(tab, organization)
})

import { expect, test } from 'vitest'
import { join } from '../../support/data/team.ts'
import { looks, useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'

// A team that requires sign-in through its provider. Owners with a passkey: passkeys.slow.test.ts.

const { service, database, prisma, clock, createOrganizationTeam, openTab } = useProviderScene()

/** A member who signed in with the password, in a team that requires sign-in after so many milliseconds. */
async function memberWithPassword(options: Parameters<typeof openTab>[0], milliseconds = 0) {
  const created = await createOrganizationTeam({ testedAt: new Date() })
  const { team, provider, email } = created
  const signInRequiredAt = new Date(clock.now().getTime() + milliseconds)
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: provider.id, signInRequiredAt } })
  const member = await createPerson(database, { email })
  await join(database, team, member, 'member')
  const tab = await openTab(options)
  const { page } = tab
  const path = `/teams/${team.slug}/members`
  await tab.signIn(email)
  await page.goto(service.url + path)
  return { ...created, member, tab, page, path }
}

test.each(looks)(
  'a member with a password session is refused, signs in through the provider and is back in the team (%s)',
  async (_, options) => {
    const { organization, provider, member, tab, page, path } = await memberWithPassword(options)
    await tab.expectPage('Sign in through Acme ID')
    // An owner only can open the team with a passkey.
    expect(await tab.link('Open with your passkey').count()).toBe(0)
    await tab.link('Continue to Acme ID').click()
    await tab.logIn('Log in', 'Is this your account?')
    await tab.link('Confirm it’s you').click()
    await tab.expectPage('Confirm it’s you')
    await page.getByLabel('Password').fill(password)
    await tab.button('Continue').click()
    await tab.expectPage('Members')
    expect(new URL(page.url()).pathname).toBe(path)
    const sessions = await prisma.session.findMany({ where: { userId: member.id }, select: { providerIds: true } })
    expect(sessions).toEqual([{ providerIds: [provider.id] }])
    tab.expectNoComplaints(organization)
  },
)

test.each(looks)('a member who is linked already needs only the provider, with a keyboard alone (%s)', async (_, options) => {
  const { organization, provider, member, tab, page } = await memberWithPassword(options)
  const { sub: subject } = organization.person
  const data = { providerId: provider.id, subject, userId: member.id, email: member.email, lastSignInAt: clock.now() }
  await prisma.externalIdentity.create({ data })
  await tab.expectPage('Sign in through Acme ID')
  await tab.pressEnterOn(/^Continue to Acme ID$/)
  await page.getByRole('heading', { name: 'Organization login' }).waitFor()
  await tab.pressEnterOn(/^Log in$/, 'Members')
  tab.expectNoComplaints(organization)
})

test.each(looks)('before the requirement begins, a banner on the pages of the team leads to the provider (%s)', async (_, options) => {
  const { organization, tab } = await memberWithPassword(options, 86_400_000)
  await tab.expectPage('Members')
  await tab.link('Continue to the identity provider').click()
  await tab.logIn('Log in', 'Is this your account?')
  await tab.goto('/account', 'Profile')
  await tab.link('Continue to the identity provider').waitFor()
  tab.expectNoComplaints(organization)
})

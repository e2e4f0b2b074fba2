import { expect, test } from 'vitest'
import { names } from '../../support/account-site/seed.ts'
import { evaluateInPage, sizes } from '../../support/browser/tab.ts'
import { join } from '../../support/data/team.ts'
import { useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'

// Owners choose the name of a provider, which all pages of a sign-in show.

const { service, database, prisma, clock, createOrganizationTeam, openTab } = useProviderScene()
const { hostile, rightToLeft, long } = names

test.each(Object.entries({ hostile, rightToLeft, long }))(
  'a %s name of a provider fits each page of a sign-in on a phone',
  async (_, name) => {
    const { organization, team, provider, email } = await createOrganizationTeam({ name, testedAt: new Date() })
    const member = await createPerson(database, { email })
    await join(database, team, member, 'member')
    const tab = await openTab({ viewport: sizes.phone })
    const { page } = tab
    const isMalicious = () => evaluateInPage(page, ({ document }) => document.querySelector('img[src="x"]') !== null)
    const expectHeading = async (title: RegExp | string) => {
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await tab.expectPage((await page.locator('h1').textContent()) ?? '')
      expect(await isMalicious()).toBe(false)
    }
    await tab.goto('/sign-in')
    await page.getByLabel('Email address').fill(email)
    await page.keyboard.press('Enter')
    await page.getByText('Use a password').waitFor()
    await expectHeading('Sign in')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Continue with/ })
      .click()
    await tab.logIn('Cancel')
    await expectHeading('Sign-in failed')
    await page.getByRole('link', { name: 'Try again' }).click()
    await tab.logIn()
    await expectHeading('Is this your account?')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('You can now sign in through').waitFor()
    await expectHeading('Overview')
    const hourAgo = new Date(clock.now().getTime() - 3_600_000)
    await prisma.session.updateMany({ where: { userId: member.id }, data: { authenticatedAt: hourAgo, providerIds: [] } })
    for (const [path, title] of [
      ['/confirm', 'Confirm it’s you'],
      ['/security/accounts', 'Linked accounts'],
    ] as const) {
      await page.goto(service.url + path)
      await expectHeading(title)
    }
    await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: provider.id, signInRequiredAt: clock.now() } })
    await tab.goto(`/teams/${team.slug}`)
    await expectHeading(/^Sign in through/)
    tab.expectNoComplaints(organization)
  },
)

import { expect, test } from 'vitest'
import { looks, useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'

// The sign-in page asks for the address first, because a team has an identity provider.

const { service, prisma, createOrganizationTeam, openTab } = useProviderScene()

test.each(looks)(
  'an address of a verified domain leads to the provider, and back to the requested page as a new member (%s)',
  async (_, options) => {
    const { organization, team, email } = await createOrganizationTeam()
    const tab = await openTab(options)
    const { page } = tab
    await tab.goto(`/teams/${team.slug}/members?sort=name`, 'Sign in')
    expect([await page.getByLabel('Password').count(), await tab.link('Continue with Acme ID').count()]).toEqual([0, 0])
    await page.getByLabel('Email address').fill(email)
    await tab.button('Continue').click()
    await tab.link('Continue with Acme ID').waitFor()
    await tab.expectPage('Sign in')
    await tab.link('Continue with Acme ID').click()
    await tab.logIn()
    await page.waitForURL(`${service.url}/teams/${team.slug}/members?sort=name`)
    await tab.expectPage('Members')
    expect(organization.requested['login_hint']).toBe(email)
    expect(await prisma.member.findMany({ where: { teamId: team.id }, include: { user: true } })).toMatchObject([
      { role: 'member', user: { email, emailVerified: true, name: 'Ada Lovelace' } },
    ])
    tab.expectNoComplaints(organization)
  },
)

test.each(looks)('another address gets the password field, and can be changed (%s)', async (_, options) => {
  await createOrganizationTeam()
  const person = await createPerson(service.database)
  const tab = await openTab(options)
  const { page } = tab
  await tab.goto('/sign-in?return_to=/account')
  await page.getByLabel('Email address').fill('typing.error@example.test')
  await tab.button('Continue').click()
  await page.getByLabel('Password').waitFor()
  await tab.expectPage('Sign in')
  expect(
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Continue with/ })
      .count(),
  ).toBe(0)
  await tab.link('Change the email address').click()
  await page.getByLabel('Password').waitFor({ state: 'detached' })
  await page.getByLabel('Email address').fill(person.email)
  await tab.button('Continue').click()
  await page.getByLabel('Password').fill('wrong')
  await tab.button('Sign in').click()
  await page.getByRole('alert').first().waitFor()
  // A refused password is entered again for the same address.
  await page.getByText(person.email).waitFor()
  expect(await page.getByLabel('Email address').count()).toBe(0)
  await tab.expectPage('Sign in')
  await page.getByLabel('Password').fill(password)
  await tab.button('Sign in').click()
  await page.waitForURL(`${service.url}/account`)
  tab.expectNoComplaints()
})

test('the password of an address of a verified domain is folded, and an address in a link can be changed', async () => {
  const { email } = await createOrganizationTeam()
  const tab = await openTab({})
  const { page } = tab
  const primary = () => page.locator('main :is(button, a.button):visible:not(.second, .quiet)').allInnerTexts()
  await tab.goto('/sign-in?return_to=/account&login_hint=typing.error@example.test')
  expect(await primary()).toEqual(['Sign in'])
  await tab.link('Change the email address').click()
  await page.getByLabel('Email address').fill(email)
  expect(await primary()).toEqual(['Continue'])
  await tab.button('Continue').click()
  await tab.link('Continue with Acme ID').waitFor()
  expect([await primary(), await page.getByLabel('Password').isVisible()]).toEqual([['Continue with Acme ID'], false])
  await page.getByText('Use a password').click()
  await page.getByLabel('Password').fill('wrong')
  await tab.button('Sign in').click()
  await page.getByRole('alert').first().waitFor()
  // The refused form is open.
  expect(await page.getByLabel('Password').isVisible()).toBe(true)
  tab.expectNoComplaints()
})

test.each(looks)('the way through the provider works with a keyboard alone (%s)', async (_, options) => {
  const { organization, team, email } = await createOrganizationTeam()
  const tab = await openTab(options)
  const { page } = tab
  await tab.goto(`/teams/${team.slug}`)
  await tab.typeInto(/^Email address$/, email)
  await page.keyboard.press('Enter')
  await tab.link('Continue with Acme ID').waitFor()
  // The button of the provider has the focus.
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Organization login' }).waitFor()
  await tab.pressEnterOn(/^Log in$/)
  await page.waitForURL(`${service.url}/teams/${team.slug}`)
  tab.expectNoComplaints(organization)
})

test.each(looks)('a person who cancels at the provider reads what to do, and can sign in with the password (%s)', async (_, options) => {
  const { organization, email } = await createOrganizationTeam()
  await createPerson(service.database, { email })
  const tab = await openTab(options)
  const { page } = tab
  await tab.goto(`/sign-in?return_to=/account&login_hint=${email}`)
  await tab.logIn('Cancel', 'Sign-in failed')
  expect(await page.getByRole('alert').textContent()).toMatch(/^We could not confirm your sign-in at .*Acme ID/)
  const details = page.getByText('The person canceled it.')
  expect(await details.isVisible()).toBe(false)
  await page.getByText('Details for your administrator').click()
  expect(await details.isVisible()).toBe(true)
  await tab.link('Try again').click()
  await tab.logIn('Cancel')
  await tab.link('Sign in another way').click()
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await tab.button('Sign in').click()
  await page.waitForURL(`${service.url}/account`)
  tab.expectNoComplaints(organization)
})

import { expect, test } from 'vitest'
import { looks, useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import type { SceneTab } from '../../support/identity-providers/provider-scene.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'

// The page "Is this your account?": an account with the address that the provider states exists already.

const { service, prisma, createOrganizationTeam, openTab } = useProviderScene()

/** Signs in at the provider with the address of an account, and is asked whether it is theirs. */
async function askedForProof(options: Parameters<typeof openTab>[0]) {
  const { organization, team, email } = await createOrganizationTeam()
  const person = await createPerson(service.database, { email })
  const tab = await openTab(options)
  await signInAtProvider(tab, team.slug)
  await tab.expectPage('Is this your account?')
  return { organization, team, person, tab, page: tab.page }
}

async function signInAtProvider(tab: SceneTab, slug: string): Promise<void> {
  await tab.goto(`/sign-in/${slug}?return_to=/teams/${slug}/members`)
  await tab.logIn()
}

const linkedTo = async (userId: string) => prisma.externalIdentity.count({ where: { userId } })

test.each(looks)('the password proves the account, which the provider signs in from then on (%s)', async (_, options) => {
  const { organization, team, person, tab, page } = await askedForProof(options)
  await page.getByLabel('Password').fill('wrong')
  await tab.button('Link account').click()
  await page.getByText('The password is incorrect.').waitFor()
  await tab.expectPage('Is this your account?')
  expect(await linkedTo(person.id)).toBe(0)
  await page.getByLabel('Password').fill(password)
  await tab.button('Link account').click()
  await page.getByText('You can now sign in through Acme ID.').waitFor()
  await tab.expectPage('Members')
  expect(await linkedTo(person.id)).toBe(1)
  await page.context().clearCookies({ domain: 'localhost' })
  await tab.goto(`/sign-in/${team.slug}?return_to=/account`)
  // The provider opens its team, and the password the account.
  await tab.expectPage('Confirm it’s you')
  await page.getByLabel('Password').fill(password)
  await tab.button('Continue').click()
  await tab.expectPage('Profile')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(person.name)
  tab.expectNoComplaints(organization)
})

test.each(looks)('the account is proved with a keyboard alone (%s)', async (_, options) => {
  const { organization, person, tab, page } = await askedForProof(options)
  // The password field has the focus already.
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await tab.expectPage('Members')
  expect(await linkedTo(person.id)).toBe(1)
  tab.expectNoComplaints(organization)
})

test.each(looks)('a person who wants to keep the accounts apart gets a new one without an address (%s)', async (_, options) => {
  const { organization, person, tab, page } = await askedForProof(options)
  await tab.pressEnterOn(/^Continue with a new account$/, 'Members')
  await tab.goto('/account', 'Profile')
  await page
    .getByRole('main')
    .getByText(/no email address/i)
    .first()
    .waitFor()
  expect(await linkedTo(person.id)).toBe(0)
  tab.expectNoComplaints(organization)
})

test.each(looks)('a person who goes back instead has neither linked the account nor signed in (%s)', async (_, options) => {
  const { organization, team, person, tab, page } = await askedForProof(options)
  await page.goBack()
  await tab.goto('/account', 'Sign in')
  expect(await linkedTo(person.id)).toBe(0)
  // The next sign-in asks again.
  await tab.goto(`/sign-in/${team.slug}`, 'Is this your account?')
  tab.expectNoComplaints(organization)
})

test.each(looks)('a person who forgot the password proves the account with a new one (%s)', async (_, options) => {
  const { organization, person, tab, page } = await askedForProof(options)
  await tab.link('Forgot password?').click()
  await page.getByLabel('Email address').fill(person.email)
  await page.getByRole('main').getByRole('button').first().click()
  await page.getByText(person.email).waitFor()
  await tab.goto(`/links/${await lastLink(service, person.id)}`)
  await tab.typeInto(/^New password$/, 'a long and new password')
  await page.keyboard.press('Enter')
  await page.getByText('You can now sign in through Acme ID.').waitFor()
  await tab.expectPage('Members')
  expect(await linkedTo(person.id)).toBe(1)
  tab.expectNoComplaints(organization)
})

test.each(looks)('a person who is signed in to the account already confirms that it is theirs (%s)', async (_, options) => {
  const { organization, team, provider, email } = await createOrganizationTeam()
  const person = await createPerson(service.database, { email })
  const tab = await openTab(options)
  const { page } = tab
  await tab.signIn(email)
  await tab.goto('/account', 'Profile')
  await tab.goto(`/sign-in/start/${provider.id}?return_to=/teams/${team.slug}/members`)
  await tab.logIn('Log in', 'Is this your account?')
  await tab.link('Confirm it’s you').click()
  await tab.expectPage('Confirm it’s you')
  await page.getByLabel('Password').fill(password)
  await tab.button('Continue').click()
  await page.getByText('You can now sign in through Acme ID.').waitFor()
  await tab.expectPage('Members')
  expect(await linkedTo(person.id)).toBe(1)
  tab.expectNoComplaints(organization)
})

import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { pressEnterOn, typeInto } from '../../support/browser/keyboard.ts'
import { openTab, signInAt } from '../../support/browser/tab.ts'
import type { Tab } from '../../support/browser/tab.ts'
import {
  button,
  createOrganizationTeam,
  expectNoComplaints,
  expectPage,
  link,
  logIn,
  looks,
} from '../../support/identity-providers/organization-team.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// The page "Is this your account?": an account with the address that the provider states exists already.

const service = useService({ hostname: 'localhost' })
const browser = useChromium()
const { prisma } = service.database

/** Signs in at the provider with the address of an account, and is asked whether it is theirs. */
async function askedForProof(options: Parameters<typeof openTab>[2]) {
  const { organization, team, email } = await createOrganizationTeam(service)
  const person = await createPerson(service.database, { email })
  const tab = await openTab(browser, service, options)
  await signInAtProvider(tab, team.slug)
  await expectPage(tab, 'Is this your account?')
  return { organization, team, person, tab, page: tab.page }
}

async function signInAtProvider(tab: Pick<Tab, 'page'>, slug: string): Promise<void> {
  await tab.page.goto(`${service.url}/sign-in/${slug}?return_to=/teams/${slug}/members`)
  await logIn(tab)
}

const linkedTo = async (userId: string) => prisma.externalIdentity.count({ where: { userId } })

test.each(looks)('the password proves the account, which the provider signs in from then on (%s)', async (_, options) => {
  const { organization, team, person, tab, page } = await askedForProof(options)
  await page.getByLabel('Password').fill('wrong')
  await button(page, 'Link account').click()
  await page.getByText('The password is incorrect.').waitFor()
  await expectPage(tab, 'Is this your account?')
  expect(await linkedTo(person.id)).toBe(0)
  await page.getByLabel('Password').fill(password)
  await button(page, 'Link account').click()
  await page.getByText('You can now sign in through Acme ID.').waitFor()
  await expectPage(tab, 'Members')
  expect(await linkedTo(person.id)).toBe(1)
  await page.context().clearCookies({ domain: 'localhost' })
  await page.goto(`${service.url}/sign-in/${team.slug}?return_to=/account`)
  // The provider opens its team, and the password the account.
  await expectPage(tab, 'Confirm it’s you')
  await page.getByLabel('Password').fill(password)
  await button(page, 'Continue').click()
  await expectPage(tab, 'Profile')
  expect(await page.getByLabel('Name').inputValue()).toBe(person.name)
  expectNoComplaints(tab, organization)
})

test.each(looks)('the account is proved with a keyboard alone (%s)', async (_, options) => {
  const { organization, person, tab, page } = await askedForProof(options)
  // The password field has the focus already.
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expectPage(tab, 'Members')
  expect(await linkedTo(person.id)).toBe(1)
  expectNoComplaints(tab, organization)
})

test.each(looks)('a person who wants to keep the accounts apart gets a new one without an address (%s)', async (_, options) => {
  const { organization, person, tab, page } = await askedForProof(options)
  await pressEnterOn(tab, /^Continue with a new account$/)
  await expectPage(tab, 'Members')
  await page.goto(`${service.url}/account`)
  await expectPage(tab, 'Profile')
  await page
    .getByRole('main')
    .getByText(/no email address/i)
    .first()
    .waitFor()
  expect(await linkedTo(person.id)).toBe(0)
  expectNoComplaints(tab, organization)
})

test.each(looks)('a person who goes back instead has neither linked the account nor signed in (%s)', async (_, options) => {
  const { organization, team, person, tab, page } = await askedForProof(options)
  await page.goBack()
  await page.goto(`${service.url}/account`)
  await expectPage(tab, 'Sign in')
  expect(await linkedTo(person.id)).toBe(0)
  // The next sign-in asks again.
  await page.goto(`${service.url}/sign-in/${team.slug}`)
  await expectPage(tab, 'Is this your account?')
  expectNoComplaints(tab, organization)
})

test.each(looks)('a person who forgot the password proves the account with a new one (%s)', async (_, options) => {
  const { organization, person, tab, page } = await askedForProof(options)
  await link(page, 'Forgot password?').click()
  await page.getByLabel('Email address').fill(person.email)
  await page.getByRole('main').getByRole('button').first().click()
  await page.getByText(person.email).waitFor()
  await page.goto(`${service.url}/links/${await lastLink(service, person.id)}`)
  await typeInto(tab, /^New password$/, 'a long and new password')
  await page.keyboard.press('Enter')
  await page.getByText('You can now sign in through Acme ID.').waitFor()
  await expectPage(tab, 'Members')
  expect(await linkedTo(person.id)).toBe(1)
  expectNoComplaints(tab, organization)
})

test.each(looks)('a person who is signed in to the account already confirms that it is theirs (%s)', async (_, options) => {
  const { organization, team, provider, email } = await createOrganizationTeam(service)
  const person = await createPerson(service.database, { email })
  const tab = await openTab(browser, service, options)
  const { page } = tab
  await signInAt(tab, service, email)
  await page.goto(`${service.url}/account`)
  await expectPage(tab, 'Profile')
  await page.goto(`${service.url}/sign-in/start/${provider.id}?return_to=/teams/${team.slug}/members`)
  await logIn(tab)
  await expectPage(tab, 'Is this your account?')
  await link(page, 'Confirm it’s you').click()
  await expectPage(tab, 'Confirm it’s you')
  await page.getByLabel('Password').fill(password)
  await button(page, 'Continue').click()
  await page.getByText('You can now sign in through Acme ID.').waitFor()
  await expectPage(tab, 'Members')
  expect(await linkedTo(person.id)).toBe(1)
  expectNoComplaints(tab, organization)
})

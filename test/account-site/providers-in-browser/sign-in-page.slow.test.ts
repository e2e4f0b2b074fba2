import { expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { pressEnterOn, typeInto } from '../../support/browser/keyboard.ts'
import { openTab } from '../../support/browser/tab.ts'
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

// The sign-in page asks for the address first, because a team has an identity provider.

const service = useService({ hostname: 'localhost' })
const browser = useChromium()
const { prisma } = service.database

test.each(looks)(
  'an address of a verified domain leads to the provider, and back to the requested page as a new member (%s)',
  async (_, options) => {
    const { organization, team, email } = await createOrganizationTeam(service)
    const tab = await openTab(browser, service, options)
    const { page } = tab
    await page.goto(`${service.url}/teams/${team.slug}/members?sort=name`)
    await expectPage(tab, 'Sign in')
    expect([await page.getByLabel('Password').count(), await link(page, 'Continue with Acme ID').count()]).toEqual([0, 0])
    await page.getByLabel('Email address').fill(email)
    await button(page, 'Continue').click()
    await link(page, 'Continue with Acme ID').waitFor()
    await expectPage(tab, 'Sign in')
    await link(page, 'Continue with Acme ID').click()
    await logIn(tab)
    await page.waitForURL(`${service.url}/teams/${team.slug}/members?sort=name`)
    await expectPage(tab, 'Members')
    expect(organization.requested['login_hint']).toBe(email)
    expect(await prisma.member.findMany({ where: { teamId: team.id }, include: { user: true } })).toMatchObject([
      { role: 'member', user: { email, emailVerified: true, name: 'Ada Lovelace' } },
    ])
    expectNoComplaints(tab, organization)
  },
)

test.each(looks)('another address gets the password field, and can be changed (%s)', async (_, options) => {
  await createOrganizationTeam(service)
  const person = await createPerson(service.database)
  const tab = await openTab(browser, service, options)
  const { page } = tab
  await page.goto(`${service.url}/sign-in?return_to=/account`)
  await page.getByLabel('Email address').fill('typing.error@example.test')
  await button(page, 'Continue').click()
  await page.getByLabel('Password').waitFor()
  await expectPage(tab, 'Sign in')
  expect(
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Continue with/ })
      .count(),
  ).toBe(0)
  await link(page, 'Use another email address').click()
  await page.getByLabel('Password').waitFor({ state: 'detached' })
  await page.getByLabel('Email address').fill(person.email)
  await button(page, 'Continue').click()
  await page.getByLabel('Password').fill('wrong')
  await button(page, 'Sign in').click()
  await page.getByRole('alert').first().waitFor()
  // A refused password is entered again for the same address.
  expect(await page.getByLabel('Email address').inputValue()).toBe(person.email)
  await expectPage(tab, 'Sign in')
  await page.getByLabel('Password').fill(password)
  await button(page, 'Sign in').click()
  await page.waitForURL(`${service.url}/account`)
  expectNoComplaints(tab)
})

test.each(looks)('the way through the provider works with a keyboard alone (%s)', async (_, options) => {
  const { organization, team, email } = await createOrganizationTeam(service)
  const tab = await openTab(browser, service, options)
  const { page } = tab
  await page.goto(`${service.url}/teams/${team.slug}`)
  await typeInto(tab, /^Email address$/, email)
  await page.keyboard.press('Enter')
  await link(page, 'Continue with Acme ID').waitFor()
  // The button of the provider has the focus.
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Organization login' }).waitFor()
  await pressEnterOn(tab, /^Log in$/)
  await page.waitForURL(`${service.url}/teams/${team.slug}`)
  expectNoComplaints(tab, organization)
})

test.each(looks)('a person who cancels at the provider reads why, and can sign in with the password (%s)', async (_, options) => {
  const { organization, email } = await createOrganizationTeam(service)
  await createPerson(service.database, { email })
  const tab = await openTab(browser, service, options)
  const { page } = tab
  await page.goto(`${service.url}/sign-in?return_to=/account&login_hint=${email}`)
  await logIn(tab, 'Cancel')
  await expectPage(tab, 'Sign-in failed')
  expect(await page.getByRole('alert').textContent()).toContain('The person canceled it.')
  await link(page, 'Try again').click()
  await logIn(tab, 'Cancel')
  await link(page, 'Sign in another way').click()
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await button(page, 'Sign in').click()
  await page.waitForURL(`${service.url}/account`)
  expectNoComplaints(tab, organization)
})

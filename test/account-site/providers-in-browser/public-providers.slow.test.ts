import { beforeAll, expect, test } from 'vitest'
import type { SocialClient } from '../../../schema/core/social-clients.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { pressEnterOn } from '../../support/browser/keyboard.ts'
import { openTab } from '../../support/browser/tab.ts'
import { unique } from '../../support/data/team.ts'
import { button, expectNoComplaints, expectPage, link, looks } from '../../support/identity-providers/organization-team.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import type { TestProvider } from '../../support/identity-providers/provider.ts'
import { useGithub } from '../../support/identity-providers/social.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// The buttons of public providers, which an operator turns on for all users.

const client = { clientId: 'client-at-provider', clientSecret: 'secret-at-provider' }
const social: { google?: SocialClient; github?: SocialClient } = {}
const service = useService({ hostname: 'localhost', socialProviders: social })
const browser = useChromium()
const { prisma } = service.database
const providers = useProviders(service.clock.now)
const github = useGithub(client)
let google: TestProvider
const githubOrigin = {
  get issuer() {
    return github.origin()
  },
}

beforeAll(async () => {
  google = await providers.create()
  social.google = { ...client, origin: google.issuer }
  social.github = { ...client, origin: github.origin() }
})

test.each(looks)('the buttons of Google and GitHub sign in to new accounts (%s)', async (_, options) => {
  const tab = await openTab(browser, service, options)
  const { page } = tab
  const email = `${unique('ada')}@gmail.example`
  google.claims = { sub: unique('google'), email, email_verified: true, name: 'Ada Lovelace' }
  github.user = { id: Math.floor(Math.random() * 1e9), login: 'grace', name: 'Grace Hopper' }
  github.emails = [{ email: `${unique('grace')}@github.example`, primary: true, verified: true }]
  await page.goto(`${service.url}/sign-in?return_to=/account`)
  await expectPage(tab, 'Sign in')
  // With several ways to sign in, the password stays the first.
  expect([await page.getByLabel('Password').count(), await button(page, 'Sign in').count()]).toEqual([1, 1])
  await pressEnterOn(tab, /^Continue with Google$/)
  await expectPage(tab, 'Profile')
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada Lovelace')
  await page.context().clearCookies()
  await page.goto(`${service.url}/sign-in?return_to=/account`)
  await link(page, 'Continue with GitHub').click()
  await expectPage(tab, 'Profile')
  expect(await page.getByLabel('Name').inputValue()).toBe('Grace Hopper')
  expect(await prisma.user.findUnique({ where: { email } })).toMatchObject({ emailVerified: true, passwordHash: null })
  expectNoComplaints(tab, google, githubOrigin)
})

test.each(looks)('an account with the address that Google states is proved with its password (%s)', async (_, options) => {
  const tab = await openTab(browser, service, options)
  const { page } = tab
  const person = await createPerson(service.database)
  google.claims = { sub: unique('google'), email: person.email, email_verified: true }
  await page.goto(`${service.url}/sign-in?return_to=/account`)
  await link(page, 'Continue with Google').click()
  await expectPage(tab, 'Is this your account?')
  await page.getByLabel('Password').fill(password)
  await button(page, 'Link account').click()
  await page.getByText('You can now sign in through Google.').waitFor()
  await expectPage(tab, 'Profile')
  expect(await prisma.externalIdentity.count({ where: { userId: person.id } })).toBe(1)
  expectNoComplaints(tab, google)
})

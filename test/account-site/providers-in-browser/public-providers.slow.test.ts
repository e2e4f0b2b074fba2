import { beforeAll, expect, test } from 'vitest'
import type { SocialClient } from '../../../schema/core/social-clients.ts'
import { unique } from '../../support/data/team.ts'
import { looks, useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import type { TestProvider } from '../../support/identity-providers/provider.ts'
import { useGithub } from '../../support/identity-providers/social.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'

// The buttons of public providers, which an operator turns on for all users.

const client = { clientId: 'client-at-provider', clientSecret: 'secret-at-provider' }
const social: { google?: SocialClient; github?: SocialClient } = {}
const { service, prisma, openTab } = useProviderScene({ socialProviders: social })
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
  const tab = await openTab(options)
  const { page } = tab
  const email = `${unique('ada')}@gmail.example`
  google.claims = { sub: unique('google'), email, email_verified: true, name: 'Ada Lovelace' }
  github.user = { id: Math.floor(Math.random() * 1e9), login: 'grace', name: 'Grace Hopper' }
  github.emails = [{ email: `${unique('grace')}@github.example`, primary: true, verified: true }]
  await tab.goto('/sign-in?return_to=/account', 'Sign in')
  // With several ways to sign in, the password stays the first.
  expect([await page.getByLabel('Password').count(), await tab.button('Sign in').count()]).toEqual([1, 1])
  await tab.pressEnterOn(/^Continue with Google$/, 'Profile')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace')
  await page.context().clearCookies()
  await tab.goto('/sign-in?return_to=/account')
  await tab.link('Continue with GitHub').click()
  await tab.expectPage('Profile')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Grace Hopper')
  expect(await prisma.user.findUnique({ where: { email } })).toMatchObject({ emailVerified: true, passwordHash: null })
  tab.expectNoComplaints(google, githubOrigin)
})

test.each(looks)('an account with the address that Google states is proved with its password (%s)', async (_, options) => {
  const tab = await openTab(options)
  const { page } = tab
  const person = await createPerson(service.database)
  google.claims = { sub: unique('google'), email: person.email, email_verified: true }
  await tab.goto('/sign-in?return_to=/account')
  await tab.link('Continue with Google').click()
  await tab.expectPage('Is this your account?')
  await page.getByLabel('Password').fill(password)
  await tab.button('Link account').click()
  await page.getByText('You can now sign in through Google.').waitFor()
  await tab.expectPage('Profile')
  expect(await prisma.externalIdentity.count({ where: { userId: person.id } })).toBe(1)
  tab.expectNoComplaints(google)
})

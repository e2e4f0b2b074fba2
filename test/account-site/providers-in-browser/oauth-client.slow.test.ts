import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveFactor } from '../../support/account-site/password-session.ts'
import { looks, useProviderScene } from '../../support/identity-providers/provider-scene.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { authorizationUrl, createClient, createPerson, password } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { reservePort } from '../../support/processes/port.ts'

// An OAuth client requests a sign-in, which leads through the provider of an organization and back to the client.

const { service, database, createOrganizationTeam, openTab } = useProviderScene()
const application = createServer((_, response) => response.end('connected'))
const { port, listen } = reservePort()
beforeAll(() => listen(application))
afterAll(() => void application.close())
const app = { issuer: `http://127.0.0.1:${port}` }

const createApp = () => createClient(database, { redirectUris: [`${app.issuer}/callback`] })

/** Opens the authorization endpoint as a client does that knows the address of its user. */
async function requestSignIn(page: Page, email: string, existing?: TestClient, changes: Record<string, string> = {}) {
  const client = existing ?? (await createApp())
  await page.goto(authorizationUrl(service, client, { scope: 'openid email', login_hint: email, ...changes }).url.href)
  return client
}

async function expectCode(page: Page): Promise<void> {
  await page.getByText('connected').waitFor()
  const { pathname, searchParams } = new URL(page.url())
  expect([pathname, searchParams.has('code')]).toEqual(['/callback', true])
}

test.each(looks)(
  'the login_hint of a client leads to the provider at once, and back to the client with a code (%s)',
  async (_, options) => {
    const { organization, email } = await createOrganizationTeam()
    const tab = await openTab(options)
    const { page } = tab
    const client = await requestSignIn(page, email)
    await tab.logIn('Log in', 'Allow Example App to access your account?')
    await tab.button('Allow access').click()
    await expectCode(page)
    expect(organization.requested['login_hint']).toBe(email)
    // Again in a browser without a session here: the provider still has one, and the client its access.
    await page.context().clearCookies({ domain: 'localhost' })
    await requestSignIn(page, email, client)
    await expectCode(page)
    tab.expectNoComplaints(organization, app)
  },
)

/** An account that exists already, and has given the client access. */
async function accountWithAccess(email: string) {
  const person = await createPerson(database, { email })
  const client = await createApp()
  const expiresAt = new Date(service.clock.now().getTime() + 86_400_000)
  await database.prisma.oAuthGrant.create({
    data: { userId: person.id, oauthClientId: client.id, scopes: ['openid', 'email'], expiresAt },
  })
  return { person, client }
}

test.each(looks)('an account that is proved with the password leads back to a client that has access (%s)', async (_, options) => {
  const { organization, email } = await createOrganizationTeam()
  const { client } = await accountWithAccess(email)
  const tab = await openTab(options)
  const { page } = tab
  await requestSignIn(page, email, client)
  await tab.logIn('Log in', 'Is this your account?')
  await page.getByLabel('Password').fill(password)
  await tab.button('Link account').click()
  await expectCode(page)
  tab.expectNoComplaints(organization, app)
})

test.each(looks)('an account that is proved with a second factor leads back to a client that has access (%s)', async (_, options) => {
  const { organization, email } = await createOrganizationTeam()
  const { client, person } = await accountWithAccess(email)
  const code = await giveFactor(service, person, 'totp')
  const tab = await openTab(options)
  const { page } = tab
  await requestSignIn(page, email, client)
  await tab.logIn()
  await page.getByLabel('Password').fill(password)
  await tab.button('Link account').click()
  await tab.expectPage('Two-factor authentication')
  await page.getByLabel('Code').fill(code)
  await tab.button('Continue').click()
  await expectCode(page)
  tab.expectNoComplaints(organization, app)
})

test.each(looks)('an account that is proved by confirming its session leads back to a client that has access (%s)', async (_, options) => {
  const { organization, email } = await createOrganizationTeam()
  const { client } = await accountWithAccess(email)
  const tab = await openTab(options)
  const { page } = tab
  await tab.signIn(email)
  await requestSignIn(page, email, client, { prompt: 'login' })
  await tab.logIn()
  await tab.link('Confirm it’s you').click()
  await tab.expectPage('Confirm it’s you')
  await page.getByLabel('Password').fill(password)
  await tab.button('Continue').click()
  await expectCode(page)
  tab.expectNoComplaints(organization, app)
})

test.each(looks)('a client of the whole account gets a code after a proof that the provider cannot give (%s)', async (_, options) => {
  const { organization, email, provider } = await createOrganizationTeam()
  const { person, client } = await accountWithAccess(email)
  await join(database, await createTeam(database), person, 'member')
  const { sub: subject } = organization.person
  await database.prisma.externalIdentity.create({ data: { providerId: provider.id, subject, userId: person.id, lastSignInAt: new Date() } })
  const tab = await openTab(options)
  const { page } = tab
  await requestSignIn(page, email, client)
  await tab.logIn('Log in', 'Confirm it’s you')
  await page.getByLabel('Password').fill(password)
  await tab.button('Continue').click()
  await expectCode(page)
  tab.expectNoComplaints(organization, app)
})

import type { Page, Response } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { useChromium } from '../../support/browser/chromium.ts'
import { seedSite, names } from '../../support/account-site/seed.ts'
import { authorizationUrl, createClient, createPerson, post } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { expectAccessibleInBothThemes, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { createTeam, unique } from '../../support/data/team.ts'
import { totpCode } from '../../support/data/totp.ts'
import { isFull } from '../../support/service/full.ts'

// Pages without a declaration: those of the authorization server, results that are shown once, and error pages.

const service = useService({ rateLimitLink: 3 })
const { url, database, clock } = service
const browser = useChromium()

const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()

/** Returns a function that waits for a page with this status code and heading, and checks it. */
function watch(page: Page) {
  let last: Response | undefined
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) last = response
  })
  return async (status: number, title: string) => {
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await page.waitForLoadState()
    expect([title, last?.status()]).toEqual([title, status])
    await expectFits(page)
    await expectAccessibleInBothThemes(page)
  }
}

/** Opens a tab, signed in when `email` is given. `expectPage` checks the page that it shows. */
async function open(viewport: (typeof sizes)[keyof typeof sizes], email?: string) {
  const tab = await openTab(browser, service, { viewport })
  if (email !== undefined) await signInAt(tab, service, email)
  const goto = (path: string) => tab.page.goto(new URL(path, url).href)
  return { ...tab, goto, expectPage: watch(tab.page) }
}

type Seeded = Awaited<ReturnType<typeof seedSite>>

const viewports = [
  ['on a phone', sizes.phone],
  ['on a desktop', sizes.desktop],
] as const
// `npm test` checks the phone, where pages fit less easily; the full suite checks both.
describe.each(isFull ? viewports : viewports.slice(0, 1))(
  'a page %s that fits the window and is accessible in both themes',
  (_, viewport) => {
    let person: Seeded['person']
    let client: Seeded['client']
    let invitation: Seeded['invitation']
    let parameters: Seeded['parameters']
    beforeAll(async () => {
      ;({ person, client, invitation, parameters } = await seedSite(service, names.plain))
    })

    test('is the consent page, for users with and without a team', async () => {
      const request = (requestingClient: typeof client) =>
        authorizationUrl(service, requestingClient, { scope: 'openid email teams offline_access' }).url.href
      const owner = await open(viewport, person.email)
      await owner.goto(request(client))
      await owner.expectPage(200, `Allow ${names.plain} to access your account?`)
      const userWithoutTeam = await open(viewport, (await createPerson(database)).email)
      await userWithoutTeam.goto(request(await createClient(database, { name: names.long, team: 'required' })))
      await userWithoutTeam.expectPage(200, `${names.long} needs a team`)
      expect([...owner.complaints, ...userWithoutTeam.complaints]).toEqual([])
    })

    test('is each page of the device flow', async () => {
      const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code']
      const device = await createClient(database, { name: 'TV', confidential: false, redirectUris: [], grantTypes })
      const { page, goto, expectPage, complaints } = await open(viewport, person.email)
      const enter = async (code?: string) => {
        await goto('/login/device')
        const { user_code: userCode } = (await post(service, '/api/oauth/device', device, { scope: 'openid' })).body
        await page.getByLabel('Code').fill(code ?? userCode)
        await press(page, 'Continue')
      }
      await goto('/login/device')
      await expectPage(200, 'Connect a device')
      await enter('BCDF-GHJK')
      await page.getByRole('alert').waitFor()
      await expectPage(422, 'Connect a device')
      await enter()
      await expectPage(200, 'Allow TV to access your account?')
      await press(page, 'Deny')
      await expectPage(200, 'Access denied')
      await enter()
      await expectPage(200, 'Allow TV to access your account?')
      await press(page, 'Allow access')
      await expectPage(200, 'Device connected')
      expect(complaints).toEqual([])
    })

    test('is the sign-out page of the authorization server', async () => {
      const { page, goto, expectPage, complaints } = await open(viewport, person.email)
      await goto('/login/oauth/logout')
      await expectPage(200, 'Sign out?')
      await press(page, 'Stay signed in')
      await expectPage(200, 'You are still signed in')
      await goto(`/login/oauth/logout?client_id=${client.clientId}`)
      await expectPage(200, 'Sign out?')
      await press(page, 'Sign out')
      await expectPage(200, 'You are signed out')
      expect(complaints).toEqual([])
    })

    test('is an invitation, for its recipient and for another user', async () => {
      const guest = await createPerson(database, { email: invitation.email })
      const link = `/invitations/${parameters['secret']}`
      const owner = await open(viewport, person.email)
      await owner.goto(link)
      await owner.page.getByRole('button', { name: 'Use another account' }).waitFor()
      await owner.expectPage(200, 'You are invited')
      const { page, goto, expectPage, complaints } = await open(viewport, guest.email)
      await goto(link)
      await page.getByRole('button', { name: 'Join team' }).waitFor()
      await expectPage(200, 'You are invited')
      await press(page, 'Decline')
      await expectPage(200, 'Invitation')
      expect([...owner.complaints, ...complaints]).toEqual([])
    })

    test('is each result that is shown once', async () => {
      const visitor = await open(viewport)
      await visitor.goto('/forgotten-password')
      await visitor.page.getByLabel('Email address').fill(person.email)
      await press(visitor.page, 'Send reset link')
      await visitor.expectPage(200, 'Check your email')
      await visitor.goto('/sign-up')
      await visitor.page.getByLabel('Name').fill(names.plain)
      await visitor.page.getByLabel('Email address').fill(`${unique('new')}@example.test`)
      await visitor.page.getByLabel('Password').fill('a long and new password')
      await press(visitor.page, 'Create account')
      await visitor.expectPage(200, 'Check your email')

      const owner = await open(viewport, person.email)
      await owner.goto('/tokens/new')
      await owner.page.getByLabel('Name', { exact: true }).fill(names.plain)
      await owner.page.getByLabel(/^See your teams and their names/).check()
      await press(owner.page, 'Create token')
      await owner.expectPage(200, 'Copy your token')
      await owner.goto('/security/authenticator')
      const secret = (await owner.page.locator('p.secret').innerText()).replaceAll(/\s/g, '')
      await owner.page.getByLabel('Code', { exact: true }).fill(totpCode(secret, clock.now()))
      await press(owner.page, 'Turn on')
      await owner.expectPage(200, 'Save your recovery codes')
      expect([...visitor.complaints, ...owner.complaints]).toEqual([])
    })

    test('is each error page', async () => {
      const { email } = await createPerson(database)
      const { page, goto, expectPage, complaints } = await open(viewport, email)
      await goto('/nothing')
      await expectPage(404, 'Page not found')
      await goto(`/teams/${(await createTeam(database)).slug}/settings`)
      await expectPage(403, 'You don’t have access')
      await goto('/account')
      const spoil = (name: string) =>
        page
          .locator(`main input[name=${name}]`)
          .first()
          .evaluate((field: any) => (field.value = 'x'))
      await spoil('csrf')
      await press(page, 'Save')
      // The form is shown again to the user who got it.
      await expectPage(403, 'Profile')
      await spoil('csrf')
      await spoil('draft')
      await press(page, 'Save')
      await expectPage(403, 'This form has expired')
      await goto(authorizationUrl(service, client, { client_id: 'nobody' }).url.href)
      await expectPage(400, 'We can’t process this request')
      await goto('/login/oauth/authorize/gone')
      await expectPage(400, 'This page has expired')
      expect(complaints).toEqual([])
    })
  },
)

// This test is last, because afterwards the rate limit refuses every link from this address.
test.each(Object.entries(sizes))('the page after too many guessed links fits the window and is accessible (%s)', async (_, viewport) => {
  const { goto, expectPage, complaints } = await open(viewport)
  for (let attempt = 0; attempt < 4; attempt++) await goto('/links/guessed')
  await expectPage(429, 'Too many attempts')
  expect(complaints).toEqual([])
})

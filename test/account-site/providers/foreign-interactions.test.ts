import { describe, expect, test } from 'vitest'
import { contentOf, enter, heading } from '../../support/account-site/page-content.ts'
import { fieldsFor, newAddress } from '../../support/account-site/signed-up.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { personAtProvider } from '../../support/identity-providers/person-at-provider.ts'
import { useProviders } from '../../support/identity-providers/provider.ts'
import { answerOf } from '../../support/identity-providers/team-provider.ts'
import { lastLink } from '../../support/mail/links.ts'
import { interactionOf } from '../../support/oauth/authorization.ts'
import { createDeviceClient } from '../../support/oauth/device.ts'
import { authorizationUrl, createClient, createPerson, password, post } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// An attacker starts an authorization request in their own browser, or makes the browser of the victim start one, and sends the victim a
// link. At the provider of the attacker's team, the browser of the victim would be signed in to the account of the attacker.

const service = useService()
const { database, clock } = service
const providers = useProviders(clock.now)

/** An account of the attacker at the provider of a team, and the victim, who is signed in. */
async function attack() {
  const { provider, team, row, person: attacker } = await personAtProvider(service, providers)
  const victim = await createPerson(database)
  const browser = new Browser(service.url)
  await enter(browser, victim, '/account')
  return { provider, team, row, attacker, victim, browser, attackersBrowser: new Browser(service.url) }
}

/** The path of an interaction of the attacker's browser that demands another sign-in. */
async function startInteraction(browser: Browser, loginHint?: string): Promise<string> {
  const client = await createClient(database, { name: 'Photos' })
  const parameters = { prompt: 'login', scope: 'openid', ...(loginHint !== undefined && { login_hint: loginHint }) }
  const page = await browser.open(authorizationUrl(service, client, parameters).url)
  // The login hint may have led on to the provider.
  const path =
    page.status === 0 ? [...browser.cookies.values()].find(({ name }) => name === 'interaction')?.path : interactionOf(page).pathname
  return path ?? ''
}

/** Follows a link, and answers at the provider if it leads there. */
async function follow(browser: Browser, link: string): Promise<Page> {
  const page = await browser.open(link)
  return page.status === 0 ? browser.open(await answerOf(page)) : page
}

const isSignedInAs = async (browser: Browser, { email }: { email: string }) => (await browser.open('/account')).text.includes(email)

/** Whether forms of the page can lead to other origins. */
const leadsElsewhere = ({ headers }: Page) => !headers.get('content-security-policy')?.includes("form-action 'self'")

describe('an interaction of another browser', () => {
  const withReturn = (path: string, interaction: string) => `${path}?${new URLSearchParams({ return_to: interaction })}`

  test.each(['the start page of a provider', 'the sign-in URL of a team'])(
    'does not sign a user in to another account by %s',
    async (door) => {
      const { team, row, victim, browser, attackersBrowser } = await attack()
      const interaction = await startInteraction(attackersBrowser)
      const path = door === 'the sign-in URL of a team' ? `/sign-in/${team.slug}` : `/sign-in/start/${row.id}`
      const page = await follow(browser, withReturn(path, interaction))
      expect(heading(page)).toEqual([400, 'Sign-in failed'])
      expect(page.text).toContain('You started this sign-in while you were signed in with another account. Sign out and try again.')
      expect(await isSignedInAs(browser, victim)).toBe(true)
    },
  )

  test.each(['a user', 'nobody'])('does not lead to the provider of its login hint if %s is signed in', async (who) => {
    const { attacker, victim, browser, attackersBrowser } = await attack()
    const interaction = await startInteraction(attackersBrowser, attacker.email)
    const other = who === 'a user' ? browser : new Browser(service.url)
    const page = await follow(other, withReturn('/sign-in', interaction))
    expect(heading(page)).toEqual([400, 'This page has expired'])
    expect(page.text).not.toMatch(/Photos|Continue with/)
    expect(await isSignedInAs(browser, victim)).toBe(true)
  })

  test('of a device is not one of the browser that opens its link', async () => {
    const { row, victim, browser, attackersBrowser } = await attack()
    const client = await createDeviceClient(database)
    const { body } = await post(service, '/api/oauth/device', client, { scope: 'openid' })
    const form = await attackersBrowser.open('/login/device')
    const interaction = interactionOf(await attackersBrowser.press(form, 'Continue', { Code: body.user_code })).pathname
    expect(heading(await follow(browser, withReturn(`/sign-in/start/${row.id}`, interaction)))).toEqual([400, 'Sign-in failed'])
    expect(heading(await browser.open(withReturn('/sign-in', interaction)))).toEqual([400, 'This page has expired'])
    expect(await isSignedInAs(browser, victim)).toBe(true)
  })

  test.each(['/confirm', '/sign-in/link'])('is not named by %s, whose forms lead to no app', async (path) => {
    const { browser, attackersBrowser } = await attack()
    const interaction = await startInteraction(attackersBrowser)
    const page = await browser.open(withReturn(path, interaction))
    expect(page.text).not.toContain('Photos')
    expect(leadsElsewhere(page)).toBe(false)
  })

  test.each(['_00000000000000000000000000000000', 'x'])(
    'is not assumed behind the page that proves an account for the request %s, so that forms that return there lead to no app',
    async (request) => {
      const page = await new Browser(service.url).open(withReturn('/sign-in', `/sign-in/link?request=${request}`))
      expect([page.status, leadsElsewhere(page)]).toEqual([200, false])
    },
  )

  test('leads a person who signed up or chose a new password nowhere but to a page that says it expired', async () => {
    const { attackersBrowser } = await attack()
    const interaction = await startInteraction(attackersBrowser)
    const browser = new Browser(service.url)
    const email = newAddress()
    await browser.press(await browser.open(withReturn('/sign-up', interaction)), 'Create account', fieldsFor(email))
    const { id } = await database.prisma.user.findUniqueOrThrow({ where: { email } })
    expect(heading(await browser.open(`/links/${await lastLink(service, id)}`))).toEqual([400, 'This page has expired'])
    expect(await isSignedInAs(browser, { email })).toBe(true)

    const reset = new Browser(service.url)
    await reset.press(await reset.open(withReturn('/forgotten-password', interaction)), 'Send reset link', { 'Email address': email })
    const form = await reset.open(`/links/${await lastLink(service, id)}`)
    expect(leadsElsewhere(form)).toBe(false)
    const changed = await reset.press(form, 'Change password', { 'New password': 'another long and new password' })
    expect(heading(changed)).toEqual([400, 'This page has expired'])
    expect(await isSignedInAs(reset, { email })).toBe(true)
  })
})

describe('an interaction that a link started in the browser of a user', () => {
  test('does not lead on to the provider of its login hint, which the user has to choose', async () => {
    const { attacker, victim, browser, row } = await attack()
    const client = await createClient(database, { name: 'Photos' })
    const { url } = authorizationUrl(service, client, { prompt: 'login', scope: 'openid', login_hint: attacker.email })
    const page = await browser.open(url)
    expect(heading(page)).toEqual([200, 'Sign in'])
    expect(contentOf(page)).toContain('to continue to Photos')
    expect(await isSignedInAs(browser, victim)).toBe(true)
    // The user chooses it, on this page.
    const button = page.root.querySelectorAll('main a').find(({ text }) => text === `Continue with ${row.name}`)
    await follow(browser, button?.getAttribute('href') ?? '')
    expect(await isSignedInAs(browser, attacker)).toBe(true)
  })

  test('leads on to the provider if its login hint is the address of the user', async () => {
    const { attacker: person } = await attack()
    const browser = new Browser(service.url)
    await enter(browser, person, '/account')
    const { url } = authorizationUrl(service, await createClient(database), { prompt: 'login', scope: 'openid', login_hint: person.email })
    const page = await browser.open(url)
    expect(page.status).toBe(0)
    expect(heading(await browser.open(await answerOf(page)))).toEqual([200, 'Allow Example App to access your account?'])
  })
})

test('a sign-in that began before a user signed in does not replace their session', async () => {
  const { row, victim } = await attack()
  const browser = new Browser(service.url)
  const sent = await browser.open(`/sign-in/start/${row.id}`)
  clock.advance(1000)
  await browser.press(await browser.open('/sign-in?with=password'), 'Sign in', { 'Email address': victim.email, Password: password })
  const page = await browser.open(await answerOf(sent))
  expect(heading(page)).toEqual([400, 'Sign-in failed'])
  expect(await isSignedInAs(browser, victim)).toBe(true)
})

import { beforeAll, describe, expect, test } from 'vitest'
import { beginAt, interactionOf } from '../../support/oauth/authorization.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createClient, createPerson } from '../../support/oauth/oauth.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { useService } from '../../support/service/service.ts'
import { heading } from '../../support/account-site/page-content.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'

const service = useService({ secretKey })
const { database } = service
let client: TestClient
beforeAll(async () => {
  client = await createClient(database)
})
const newPassword = 'a long and new password'

/** Starts an authorization and requests a password reset mail from its sign-in page. */
async function requestReset() {
  const user = await createPerson(database)
  const { browser, page: signIn } = await beginAt(service, client, {})
  const follow = (page: Page, label: string) => {
    const link = page.root.querySelectorAll('main a').find(({ text }) => text === label)
    return browser.open(link?.getAttribute('href') ?? '/no-such-link')
  }
  const forgotten = await follow(signIn, 'Forgot password?')
  const mailSent = await browser.press(forgotten, 'Send reset link', { 'Email address': user.email })
  return { user, browser, signIn, forgotten, mailSent, follow, interaction: interactionOf(signIn) }
}
type ResetRequest = Awaited<ReturnType<typeof requestReset>>

/** Opens the mail link in a browser and sets a new password. Returns the page that follows. */
async function completeReset({ user }: ResetRequest, browser: Browser) {
  const page = await browser.open(`/links/${await lastLink(service, user.id)}`)
  expect(page.url.href).toBe(`${service.url}/reset-password`)
  return browser.press(page, 'Change password', { 'New password': newPassword })
}

describe('a password reset during an authorization', () => {
  test('continues the authorization in the same browser', async () => {
    const request = await requestReset()
    const consent = await completeReset(request, request.browser)
    expect(heading(consent)).toEqual([200, 'Allow Example App to access your account?'])
    const end = await request.browser.press(consent, 'Allow access')
    expect([end.url.origin, end.url.searchParams.has('code')]).toEqual([new URL(client.redirectUri).origin, true])
  })

  test('leads to the teams of the user in another browser', async () => {
    const request = await requestReset()
    expect(heading(await completeReset(request, new Browser(service.url)))).toEqual([200, 'Your teams'])
  })

  test('keeps the links back to the authorization on every page in between', async () => {
    const { interaction, forgotten, mailSent, follow } = await requestReset()
    expect(interactionOf(await follow(forgotten, 'Back to sign in')).href).toBe(interaction.href)
    const again = await follow(mailSent, 'try another email address')
    expect([again.url.pathname, interactionOf(again).href]).toEqual(['/forgotten-password', interaction.href])
  })

  test('keeps the link back to the authorization on the page of an ended link', async () => {
    const request = await requestReset()
    const ended = await request.browser.open('/links/no-such-link')
    expect(interactionOf(await request.follow(ended, 'Request another link')).href).toBe(request.interaction.href)
  })

  test('returns to the target of the latest request, and only once', async () => {
    const request = await requestReset()
    const plainForm = await request.browser.open('/forgotten-password')
    await request.browser.press(plainForm, 'Send reset link', { 'Email address': request.user.email })
    expect(heading(await completeReset(request, request.browser))).toEqual([200, 'Your teams'])

    const completed = await requestReset()
    await completeReset(completed, completed.browser)
    const ended = await completed.browser.open('/links/no-such-link')
    expect((await completed.follow(ended, 'Request another link')).url.searchParams.get('return_to')).toBe('/')
  })
})

test.each(['//evil.example', 'https://evil.example', '/..//evil.example'])('a password reset never redirects to %s', async (address) => {
  const user = await createPerson(database)
  const browser = new Browser(service.url)
  const page = await browser.open(`/forgotten-password?${new URLSearchParams({ return_to: address })}`)
  await browser.press(page, 'Send reset link', { 'Email address': user.email })
  const link = await browser.open(`/links/${await lastLink(service, user.id)}`)
  const done = await browser.press(link, 'Change password', { 'New password': newPassword })
  expect(done.url.href).toBe(`${service.url}/account/teams`)
})

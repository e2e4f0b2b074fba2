import { describe, expect, test } from 'vitest'
import { beginAt, interactionOf } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { lastLink } from '../support/links.ts'
import { createClient, createPerson } from '../support/oauth.ts'
import { secretKey } from '../support/pace.ts'
import { startService } from '../support/service.ts'
import { heading } from './shown.ts'

const service = await startService({ secretKey })
const { database } = service
const client = await createClient(database)
const newPassword = 'a long and new password'

/** Somebody whom an application sent, and who forgot their password: the browser, with the mail asked for. */
async function forgetful() {
  const user = await createPerson(database)
  const { browser, page: signIn } = await beginAt(service, client, {})
  const follow = (page: Page, words: string) => {
    const link = page.root.querySelectorAll('main a').find(({ text }) => text === words)
    return browser.open(link?.getAttribute('href') ?? '/no-such-link')
  }
  const forgotten = await follow(signIn, 'Forgotten password?')
  const sent = await browser.press(forgotten, 'Send the mail', { 'Email address': user.email })
  return { user, browser, signIn, forgotten, sent, follow, interaction: interactionOf(signIn) }
}
type Forgetful = Awaited<ReturnType<typeof forgetful>>

/** Opens the mail's link in a browser, chooses a new password there, and comes to the sign-in page. */
async function reset({ user }: Forgetful, browser: Browser) {
  const page = await browser.open(`/links/${await lastLink(service, user.id)}`)
  expect(page.url.href).toBe(`${service.url}/reset-password`)
  const signIn = await browser.press(page, 'Change the password', { 'New password': newPassword })
  expect(heading(signIn)).toEqual([200, 'Sign in'])
  return signIn
}
const enter = ({ user }: Forgetful, browser: Browser, page: Page) =>
  browser.press(page, 'Sign in', { 'Email address': user.email, Password: newPassword })

describe('who forgot the password on the way to an application', () => {
  test('comes to it with the new one, in the same browser', async () => {
    const given = await forgetful()
    const signIn = await reset(given, given.browser)
    expect([interactionOf(signIn).href, signIn.text]).toEqual([
      given.interaction.href,
      expect.stringContaining('to continue to Example App'),
    ])
    const consent = await enter(given, given.browser, signIn)
    const end = await given.browser.press(consent, 'Allow access')
    expect([end.url.origin, end.url.searchParams.has('code')]).toEqual([new URL(client.redirectUri).origin, true])
  })

  test('has nothing to come back to in another browser', async () => {
    const given = await forgetful()
    const other = new Browser(service.url)
    const signIn = await reset(given, other)
    expect(signIn.url.searchParams.get('return_to')).toBe('/')
    expect(heading(await enter(given, other, signIn))).toEqual([200, 'Your account'])
  })

  test('comes back to it from every page between', async () => {
    const { interaction, forgotten, sent, follow } = await forgetful()
    expect(interactionOf(await follow(forgotten, 'Back to sign in')).href).toBe(interaction.href)
    const again = await follow(sent, 'try another address')
    expect([again.url.pathname, interactionOf(again).href]).toEqual(['/forgotten-password', interaction.href])
  })

  test('comes to it by another mail where the link has ended', async () => {
    const given = await forgetful()
    const ended = await given.browser.open('/links/no-such-link')
    expect(interactionOf(await given.follow(ended, 'ask for another mail')).href).toBe(given.interaction.href)
  })

  test('comes to what they asked for last, once', async () => {
    const given = await forgetful()
    const plain = await given.browser.open('/forgotten-password')
    await given.browser.press(plain, 'Send the mail', { 'Email address': given.user.email })
    expect((await reset(given, given.browser)).url.searchParams.get('return_to')).toBe('/')

    const once = await forgetful()
    await reset(once, once.browser)
    const ended = await once.browser.open('/links/no-such-link')
    expect((await once.follow(ended, 'ask for another mail')).url.searchParams.get('return_to')).toBe('/')
  })
})

test.each(['//evil.example', 'https://evil.example', '/..//evil.example'])('nobody is led to %s by it', async (address) => {
  const user = await createPerson(database)
  const browser = new Browser(service.url)
  const page = await browser.open(`/forgotten-password?${new URLSearchParams({ return_to: address })}`)
  await browser.press(page, 'Send the mail', { 'Email address': user.email })
  const link = await browser.open(`/links/${await lastLink(service, user.id)}`)
  const signIn = await browser.press(link, 'Change the password', { 'New password': newPassword })
  expect(signIn.url.searchParams.get('return_to')).toBe('/')
})

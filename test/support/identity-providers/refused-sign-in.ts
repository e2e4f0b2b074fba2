import { expect } from 'vitest'
import { alertOf } from '../account-site/page-content.ts'
import type { Browser, Page } from '../browser/browser.ts'
import { isSignedIn } from '../oauth/authorization.ts'
import { password } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'

/** Checks that a page says what happened, that the browser is not signed in, and that its link leads to a sign-in with the password. */
export async function expectRefusedSignIn(
  service: TestService,
  browser: Browser,
  { page, message, person }: { page: Page; message: string; person: { email: string } },
): Promise<void> {
  expect([page.status >= 400 && page.status < 500, page.root.querySelector('h1')?.text, alertOf(page)[1]]).toEqual([
    true,
    'Sign-in failed',
    expect.stringContaining(message),
  ])
  expect(page.root.querySelector('main img')).toBeNull()
  expect(await isSignedIn(service, browser.copy())).toBe(false)
  const back = page.root.querySelectorAll('main a').find(({ text }) => text === 'Sign in another way')
  const form = await browser.open(back?.getAttribute('href') ?? '')
  await browser.press(form, 'Sign in', { 'Email address': person.email, Password: password })
  expect(await isSignedIn(service, browser.copy())).toBe(true)
}

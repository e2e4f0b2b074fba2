import { expect } from 'vitest'
import { administratorDetails, alertOf } from '../account-site/page-content.ts'
import type { Browser, Page } from '../browser/browser.ts'
import { isSignedIn } from '../oauth/authorization.ts'
import { password } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'

/**
 * Checks that a page says what happened, that the browser is not signed in, and that its link leads to a sign-in with the password. A
 * technical message is in the details for the administrator, below a sentence for the person.
 */
export async function expectRefusedSignIn(
  service: TestService,
  browser: Browser,
  { page, message, person }: { page: Page; message: string; person: { email: string } },
): Promise<void> {
  const [, alert] = alertOf(page)
  const details = administratorDetails(page)
  expect([page.status >= 400 && page.status < 500, page.root.querySelector('h1')?.text, details ?? alert]).toEqual([
    true,
    'Sign-in failed',
    expect.stringContaining(message),
  ])
  if (details !== undefined) expect(alert).toMatch(/ Try again( in a few minutes)?\.( If it fails again, tell your administrator\.)?$/)
  expect(page.root.querySelector('main img')).toBeNull()
  expect(await isSignedIn(service, browser.copy())).toBe(false)
  const back = page.root.querySelectorAll('main a').find(({ text }) => text === 'Sign in another way')
  const form = await browser.open(back?.getAttribute('href') ?? '')
  await browser.press(form, 'Sign in', { 'Email address': person.email, Password: password })
  expect(await isSignedIn(service, browser.copy())).toBe(true)
}

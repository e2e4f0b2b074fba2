import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { createPerson, password } from '../support/oauth.ts'
import type { TestService } from '../support/service.ts'

// What a page says first, with its status code.

export const heading = ({ status, root }: Page) => [status, root.querySelector('h1')?.text]
export const alertOf = ({ status, root }: Page) => [status, root.querySelector('.alert[role=alert]')?.text]
export const noticeOf = ({ status, root }: Page) => [status, root.querySelector('.notice[role=status]')?.text]

export const sessionCookie = (browser: Browser) => browser.cookies.get('session /')?.value

/** Gives address and password, and comes to the page at `path`, or to what else is asked. */
export async function enter(browser: Browser, user: { email: string }, path = '/security'): Promise<Page> {
  const page = await browser.open(`/sign-in?${new URLSearchParams({ return_to: path })}`)
  return browser.press(page, 'Sign in', { 'Email address': user.email, Password: password })
}

/** A person who is signed in and at the page of what they sign in with. */
export async function signedIn(service: Pick<TestService, 'url' | 'database'>) {
  const user = await createPerson(service.database)
  const browser = new Browser(service.url)
  return { user, browser, page: await enter(browser, user) }
}

/** The key that the page of an authenticator application shows. */
export const secretOn = ({ root }: Page) => root.querySelector('p.secret')?.text.replaceAll(' ', '') ?? ''

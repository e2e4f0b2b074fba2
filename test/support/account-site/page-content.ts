import { Browser, formValues } from '../browser/browser.ts'
import type { Page } from '../browser/browser.ts'
import { createPerson, password } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'

// Functions that read parts of a page, some with its status code.

export const heading = ({ status, root }: Page) => [status, root.querySelector('h1')?.text]
/** The first message, at the top of the page or at a field. */
export const alertOf = ({ status, root }: Page) => [status, root.querySelector('[role=alert]:not([data-status])')?.text]
/** The technical text for the administrator, in details that are closed at first. */
export const administratorDetails = ({ root }: Page) =>
  root
    .querySelectorAll('main details:not([open])')
    .find((details) => details.querySelector('summary')?.text.startsWith('Details for '))
    ?.querySelector('p')?.text
export const noticeOf = ({ status, root }: Page) => [status, root.querySelector('.notice[role=status]')?.text]

/** The text of the main element with collapsed white space and a space between elements. */
export function contentOf({ root }: Page): string {
  const texts = root.querySelector('main')?.innerHTML.replace(/<[^>]+>/g, ' ') ?? ''
  return texts.replace(/\s+/g, ' ').trim()
}

/** The values that a form of the page submits unchanged, by default the first form. */
export function valuesOf({ root, text }: Page, index = 0, within = 'main'): URLSearchParams {
  const form = root.querySelectorAll(`${within} form`)[index]
  if (!form) throw new Error(`no such form: ${text}`)
  return formValues(form)
}

/** The value of a new token. */
export const tokenValueOn = ({ root }: Page) => root.querySelector('#value')?.text.trim() ?? ''

/** The labels of the navigation links. */
export const navigationOf = ({ root }: Page) => root.querySelectorAll('.sidebar a').map((link) => link.text.trim())

export const sessionCookie = (browser: Browser) => browser.cookies.get('session /')?.value

/** The session cookie with its signature, as a `Cookie` header field. */
export const sessionHeader = (browser: Browser) =>
  `session=${sessionCookie(browser)}; session.sig=${browser.cookies.get('session.sig /')?.value}`

/** Signs in and returns the page at `path`, or the next step of the sign-in. */
export async function enter(browser: Browser, user: { email: string }, path = '/security'): Promise<Page> {
  // With the password: the page asks for the address first if a team has an identity provider. Also if somebody is signed in.
  const page = await browser.open(`/sign-in?${new URLSearchParams({ with: 'password', another: '1', return_to: path })}`)
  return browser.press(page, 'Sign in', { 'Email address': user.email, Password: password })
}

/** Signs in in a new browser and opens `path`. */
export async function openAs({ url }: Pick<TestService, 'url'>, user: { email: string }, path: string) {
  const browser = new Browser(url)
  return { browser, page: await enter(browser, user, path) }
}

/** Creates a user, signs in and opens the security page. */
export async function signedIn(service: Pick<TestService, 'url' | 'database'>) {
  const user = await createPerson(service.database)
  const browser = new Browser(service.url)
  return { user, browser, page: await enter(browser, user) }
}

/** The secret on the page that sets up an authenticator app. */
export const secretOn = ({ root }: Page) => root.querySelector('p.secret')?.text.replaceAll(' ', '') ?? ''

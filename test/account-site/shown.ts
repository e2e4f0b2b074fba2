import { Browser, formValues } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { createPerson, password } from '../support/oauth.ts'
import type { TestService } from '../support/service.ts'

// What a page says first, with its status code.

export const heading = ({ status, root }: Page) => [status, root.querySelector('h1')?.text]
export const alertOf = ({ status, root }: Page) => [status, root.querySelector('.alert[role=alert]')?.text]
export const noticeOf = ({ status, root }: Page) => [status, root.querySelector('.notice[role=status]')?.text]

/** What stands in the page's content, blanks collapsed and a blank between elements. */
export function contentOf({ root }: Page): string {
  const texts = root.querySelector('main')?.innerHTML.replace(/<[^>]+>/g, ' ') ?? ''
  return texts.replace(/\s+/g, ' ').trim()
}

/** What a form of the page's content would send as it stands: the first unless told. */
export function valuesOf({ root, text }: Page, index = 0, within = 'main'): URLSearchParams {
  const form = root.querySelectorAll(`${within} form`)[index]
  if (!form) throw new Error(`no such form: ${text}`)
  return formValues(form)
}

/** The value of a token, on the page that shows it once. */
export const tokenValueOn = ({ root }: Page) => root.querySelector('#value')?.text.trim() ?? ''

/** The links of the page's navigation, by their words. */
export const navigationOf = ({ root }: Page) => root.querySelectorAll('nav a').map((link) => link.text.trim())

export const sessionCookie = (browser: Browser) => browser.cookies.get('session /')?.value

/** Gives address and password, and comes to the page at `path`, or to what else is asked. */
export async function enter(browser: Browser, user: { email: string }, path = '/security'): Promise<Page> {
  const page = await browser.open(`/sign-in?${new URLSearchParams({ return_to: path })}`)
  return browser.press(page, 'Sign in', { 'Email address': user.email, Password: password })
}

/** The same in a browser of its own. */
export async function openAs({ url }: Pick<TestService, 'url'>, user: { email: string }, path: string) {
  const browser = new Browser(url)
  return { browser, page: await enter(browser, user, path) }
}

/** A person who is signed in and at the page of what they sign in with. */
export async function signedIn(service: Pick<TestService, 'url' | 'database'>) {
  const user = await createPerson(service.database)
  const browser = new Browser(service.url)
  return { user, browser, page: await enter(browser, user) }
}

/** The key that the page of an authenticator application shows. */
export const secretOn = ({ root }: Page) => root.querySelector('p.secret')?.text.replaceAll(' ', '') ?? ''

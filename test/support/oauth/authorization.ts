import { Browser, formValues } from '../browser/browser.ts'
import type { Page } from '../browser/browser.ts'
import { authorizationUrl, createClient } from './oauth.ts'
import type { TestClient } from './oauth.ts'
import type { TestService } from '../service/service.ts'

/** URL of the interaction to which the sign-in page returns. */
export const interactionOf = ({ url }: Page): URL => new URL(url.searchParams.get('return_to') ?? '', url)

/** Sends an authorization request in a new browser and returns the page that it leads to: the sign-in page. */
export async function beginAt(service: Pick<TestService, 'url'>, client: TestClient, changes: Record<string, string | undefined>) {
  const browser = new Browser(service.url)
  const { url, state } = authorizationUrl(service, client, changes)
  return { browser, page: await browser.open(url), state }
}

/** The action and the fields that the form of this button submits. */
export function formOf(page: Page, buttonText: string) {
  const button = page.root.querySelectorAll('button').find(({ text }) => text.trim() === buttonText)
  const form = button?.closest('form')
  if (!button || !form) throw new Error(`no button ${buttonText} at ${page.url.href}: ${page.text}`)
  const values = formValues(form)
  const name = button.getAttribute('name')
  if (name) values.append(name, button.getAttribute('value') ?? '')
  return { action: form.getAttribute('action') ?? '', values }
}

/** Copies the cookies of one browser to another, as an attacker or a second tab would have them. */
export function copyCookies(from: Pick<Browser, 'cookies'>, to: Browser): void {
  for (const [key, cookie] of from.cookies) to.cookies.set(key, cookie)
}

/** Whether a user is signed in in this browser, determined by an authorization request with `prompt=none`. */
export async function isSignedIn(service: TestService, browser: Browser): Promise<boolean> {
  const client = await createClient(service.database)
  const page = await browser.open(authorizationUrl(service, client, { scope: 'openid', prompt: 'none' }).url)
  return page.url.searchParams.get('error') !== 'login_required'
}

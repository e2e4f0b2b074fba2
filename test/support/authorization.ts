import { Browser, formValues } from './browser.ts'
import type { Page } from './browser.ts'
import { authorizationUrl, createClient } from './oauth.ts'
import type { TestClient } from './oauth.ts'
import type { TestService } from './service.ts'

/** The interaction of the authorization server that a sign-in page was opened for. */
export const interactionOf = ({ url }: Page): URL => new URL(url.searchParams.get('return_to') ?? '', url)

/** Up to the sign-in page, in a browser of its own. */
export async function beginAt(service: Pick<TestService, 'url'>, client: TestClient, changes: Record<string, string | undefined>) {
  const browser = new Browser(service.url)
  const { url, state } = authorizationUrl(service, client, changes)
  return { browser, page: await browser.open(url), state }
}

/** The form behind a button, as it would be sent. */
export function formOf(page: Page, button: string) {
  const pressed = page.root.querySelectorAll('button').find(({ text }) => text.trim() === button)
  const form = pressed?.closest('form')
  if (!pressed || !form) throw new Error(`no ${button} at ${page.url.href}: ${page.text}`)
  const values = formValues(form)
  const name = pressed.getAttribute('name')
  if (name) values.append(name, pressed.getAttribute('value') ?? '')
  return { action: form.getAttribute('action') ?? '', values }
}

/** Whether the browser holds a session with somebody signed in. */
export async function isSignedIn(service: TestService, browser: Browser): Promise<boolean> {
  const client = await createClient(service.database)
  const page = await browser.open(authorizationUrl(service, client, { scope: 'openid', prompt: 'none' }).url)
  return page.url.searchParams.get('error') !== 'login_required'
}

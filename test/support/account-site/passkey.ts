import type { Authenticator } from '../browser/authenticator.ts'
import type { Browser, Page } from '../browser/browser.ts'

// Uses passkey forms without the JavaScript that requests a passkey from the browser.

/** The WebAuthn options on the page, as JSON. */
export const optionsOn = ({ root }: Page) => root.querySelector('[data-passkey]')?.getAttribute('data-options') ?? ''

/** Submits a passkey form with this WebAuthn response. */
export async function sendPasskey(browser: Browser, page: Page, response: string, fields: Record<string, string> = {}) {
  const form = page.root.querySelector('[data-passkey]')?.closest('form')
  const inputs = form?.querySelectorAll('input').map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? ''])
  const values = new URLSearchParams(inputs)
  for (const [name, value] of Object.entries({ ...fields, response })) values.set(name, value)
  return browser.send(page, form?.getAttribute('action') ?? '', values)
}

export const usePasskey = (browser: Browser, page: Page, authenticator: Authenticator) =>
  sendPasskey(browser, page, authenticator.assert(optionsOn(page)))

/** The recovery codes on the page. */
export const codesOn = ({ root }: Page) => root.querySelectorAll('.recovery-codes code').map(({ text }) => text)

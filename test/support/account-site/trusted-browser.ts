import type { User } from '../../../prisma/generated/client/client.ts'
import { expect } from 'vitest'
import { Browser } from '../browser/browser.ts'
import { enableTotp } from '../data/second-factor.ts'
import { totpCode } from '../data/totp.ts'
import { createPerson } from '../oauth/oauth.ts'
import { sessionOf } from '../service/in-process.ts'
import type { TestService } from '../service/service.ts'
import { enter, heading } from './page-content.ts'

export const signedInHeading = [200, 'Sign-in and security']
export const codeAsked = [200, 'Two-factor authentication']

/** Creates a user with an authenticator app. Each code is of a new time step. */
export async function createUserWithTotp(service: TestService) {
  const user: User = await createPerson(service.database)
  const principal = () => sessionOf(service, user)
  const { secret } = await enableTotp({ service, principal: await principal() })
  const nextCode = () => {
    service.clock.advance(30_000)
    return totpCode(secret, service.clock.now())
  }
  return { user, nextCode, principal }
}
export type UserWithTotp = Awaited<ReturnType<typeof createUserWithTotp>>

/** Signs in with password and code and ticks the box. Returns a browser without the session that this began. */
export async function trustedBrowser({ url }: TestService, { user, nextCode }: UserWithTotp): Promise<Browser> {
  const browser = new Browser(url)
  const page = await browser.press(await enter(browser, user), 'Continue', { Code: nextCode(), trustDevice: 'true' })
  expect(heading(page)).toEqual(signedInHeading)
  return signedOut(browser)
}

/** Another browser with the same cookies except those of the session. */
export function signedOut(browser: Browser): Browser {
  const copy = browser.copy()
  for (const key of ['session /', 'session.sig /']) copy.cookies.delete(key)
  return copy
}

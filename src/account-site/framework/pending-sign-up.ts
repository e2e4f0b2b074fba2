import { z } from 'zod'
import type { PendingSignUp } from '../../../schema/core/browser-session.ts'
import type { Cookies } from '../../web/cookies.ts'

// The browser stores its last sign-up in an encrypted cookie, which expires with the link in the email. The link signs in only with this
// cookie: access to the emails of an address does not prove that the reader created the account (docs/decisions/accounts.md#sign-up).

const cookie = 'sign-up'
const cookieSeconds = 86_400

const pendingSignUp = z.object({ name: z.string(), email: z.string(), passwordDigest: z.string() })

export const saveSignUp = (cookies: Cookies, signUp: PendingSignUp): void => cookies.set(cookie, JSON.stringify(signUp), cookieSeconds)

/** Returns null if this browser has no sign-up of the last day, or was used to sign in since then. */
export function findSignUp(cookies: Cookies): PendingSignUp | null {
  const text = cookies.get(cookie)
  return text === undefined ? null : pendingSignUp.parse(JSON.parse(text))
}

/** Deletes the sign-up, so that its link does not sign in again after the user has signed out. */
export function clearSignUp(cookies: Cookies): void {
  if (findSignUp(cookies)) cookies.clear(cookie)
}

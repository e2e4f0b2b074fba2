import type { Cookies } from '../../web/cookies.ts'

// The way in which the last user of this browser signed in, in an encrypted cookie. The sign-in page shows it first.

const cookie = 'sign-in-method'
const cookieSeconds = 365 * 86_400

/** `password`, `passkey`, `code`, or the key of an identity provider. */
export type SignInMethod = string

export const rememberMethod = (cookies: Cookies, method: SignInMethod): void => cookies.set(cookie, method, cookieSeconds)

/** Returns the method of the last sign-in in this browser, or null. */
export const findLastMethod = (cookies: Cookies): SignInMethod | null => cookies.get(cookie) ?? null

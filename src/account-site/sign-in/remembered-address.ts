import type { Cookies } from '../../web/cookies.ts'

// The email address that the sign-in page shows on this device, in an encrypted cookie. An empty one says that the user does not want it.

const cookie = 'address'
const cookieSeconds = 365 * 86_400

/** Takes the typed address from the sign-in page to the page for a forgotten password. */
export const typedAddressScript = 'typed-address.js'

export const rememberAddress = (cookies: Cookies, address: string): void => cookies.set(cookie, address, cookieSeconds)

/** Returns the address with which somebody signed in last on this device; an empty text if it was not to be remembered. */
export const rememberedAddress = (cookies: Cookies): string | undefined => cookies.get(cookie)

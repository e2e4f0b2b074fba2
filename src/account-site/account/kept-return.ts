import { ownAddress, returnOf } from '../addresses.ts'
import type { Visit } from '../visit.ts'

// What somebody was to sign in for who forgot their password. The browser keeps it for as long as the mail's link works:
// opened in another one, the link leads to signing in alone, and the mail itself to no place that anybody chose.

const name = 'return'
const hourInSeconds = 3600

/** Keeps where the page leads on to. */
export const keepReturn = (visit: Visit): void => visit.cookies.set(name, returnOf(visit), hourInSeconds)

/** What was kept last; `/` where nothing was. */
export const keptReturn = ({ cookies, site }: Visit): string => ownAddress(cookies.get(name), site.authUrl)

export const forgetReturn = ({ cookies }: Visit): void => cookies.clear(name)

import { ownAddress, readReturnAddress } from '../../web/return-address.ts'
import type { PageContext } from '../framework/page-context.ts'

// The return address of a user who forgot the password, in a cookie that expires with the link in the mail. The mail contains no return
// address, so that no one else can choose it. In another browser, the link leads to the start page.

const name = 'return'
const hourInSeconds = 3600

/** Saves the return address of the page. */
export const saveReturnAddress = (ctx: PageContext): void => ctx.cookies.set(name, readReturnAddress(ctx), hourInSeconds)

/** Returns the address that was saved last, or `/`. */
export const savedReturnAddress = ({ cookies, site }: PageContext): string => ownAddress(cookies.get(name), site.authUrl)

export const clearReturnAddress = ({ cookies }: PageContext): void => cookies.clear(name)

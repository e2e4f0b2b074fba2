import type { Cookies } from '../../web/cookies.ts'
import { invitationPath } from '../../web/page-paths.ts'
import { readReturnAddress } from '../../web/return-address.ts'
import type { PageContext } from '../framework/page-context.ts'
import { findSignUp } from '../framework/pending-sign-up.ts'
import { findInvitation } from '../invitations/open-invitation.ts'
import { findSavedLink, landingPath } from '../mail-links/opened-link.ts'

// The email address that the sign-in page shows on this device, in an encrypted cookie. If it is empty, the user does not want to see it.

const cookie = 'address'
const cookieSeconds = 365 * 86_400

/** Script that passes the typed address from the sign-in page to the pages for a forgotten password and for an emailed code. */
export const typedAddressScript = 'typed-address.js'

export const rememberAddress = (cookies: Cookies, address: string): void => cookies.set(cookie, address, cookieSeconds)

/** Returns the address of the last sign-in on this device; empty if the user did not want it to be remembered. */
export const rememberedAddress = (cookies: Cookies): string | undefined => cookies.get(cookie)

/**
 * Returns the email address to sign in with, if this browser has one: that of the opened link or invitation for which the user signs in, of
 * the last sign-up, or the remembered one. Returns none for a user who is signed in and wants to use another account.
 */
export async function getKnownAddress(ctx: PageContext): Promise<string> {
  const { cookies, person } = ctx
  const returnAddress = readReturnAddress(ctx)
  if (returnAddress === landingPath.VERIFY_EMAIL) return (await findSavedLink(ctx, 'VERIFY_EMAIL'))?.email ?? ''
  if (returnAddress === invitationPath) return (await findInvitation(ctx))?.email ?? ''
  return person ? '' : (findSignUp(cookies)?.email ?? rememberedAddress(cookies) ?? '')
}

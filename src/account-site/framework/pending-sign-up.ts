import { z } from 'zod'
import type { PendingSignUp } from '../../../schema/core/browser-session.ts'
import { jsonCookie } from './json-cookie.ts'

/**
 * The last sign-up of this browser. The cookie expires with the link in the email. The link signs in only with this cookie: access to the
 * emails of an address does not prove that the reader created the account (docs/decisions/accounts.md#sign-up). A sign-in deletes it, so
 * that its link does not sign in again after the user has signed out.
 */
export const {
  find: findSignUp,
  save: saveSignUp,
  clear: clearSignUp,
} = jsonCookie<PendingSignUp>('sign-up', 86_400, z.object({ name: z.string(), email: z.string(), passwordDigest: z.string() }))

import { z } from 'zod'
import type { PendingSignIn } from '../../../schema/core/browser-session.ts'
import type { Cookies } from '../../web/cookies.ts'

// The browser stores the pending sign-in in an encrypted cookie. The server stores nothing for sign-ins that are never completed.

const cookie = 'pending-sign-in'
const cookieSeconds = 600

const pendingSignIn = z.object({
  userId: z.string(),
  // Cookies of versions before sign-in through providers lack this member.
  methods: z.array(z.enum(['pwd', 'otp', 'hwk'])).default(['pwd']),
  passwordDigest: z.string().nullable(),
  providerId: z.string().nullish(),
})

export const savePendingSignIn = (cookies: Cookies, pending: PendingSignIn): void =>
  cookies.set(cookie, JSON.stringify(pending), cookieSeconds)

/** Returns the pending sign-in, or null if none started in this browser in the last ten minutes. */
export function findPendingSignIn(cookies: Cookies): PendingSignIn | null {
  const text = cookies.get(cookie)
  return text === undefined ? null : pendingSignIn.parse(JSON.parse(text))
}

export const clearPendingSignIn = (cookies: Cookies): void => cookies.clear(cookie)

import { z } from 'zod'
import type { PendingSignIn } from '../../../schema/core/browser-session.ts'
import { jsonCookie } from './json-cookie.ts'

const pendingSignIn = z.object({
  userId: z.string(),
  // Cookies of versions before sign-in through providers lack this member.
  methods: z.array(z.enum(['pwd', 'otp', 'hwk'])).default(['pwd']),
  passwordDigest: z.string().nullable(),
  providerId: z.string().nullish(),
})

/** The pending sign-in of this browser, for ten minutes. The server stores nothing for sign-ins that are never completed. */
export const {
  find: findPendingSignIn,
  save: savePendingSignIn,
  clear: clearPendingSignIn,
} = jsonCookie<PendingSignIn>('pending-sign-in', 600, pendingSignIn)

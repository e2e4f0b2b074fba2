import type { Request, Response } from 'express'
import type { AccountAttemptLimits } from '../../../schema/core/attempts/attempt-limit.ts'
import type { BrowserSession } from '../../../schema/core/browser-session.ts'
import { clientNetwork } from '../../auth/client-network.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { Cookies } from '../../web/cookies.ts'
import { findDevice, findKnownUsers, findTrust, rememberDevice } from './known-devices.ts'
import { clearSignUp, findSignUp, saveSignUp } from './pending-sign-up.ts'
import { clearPendingSignIn, findPendingSignIn, savePendingSignIn } from './pending-sign-in.ts'

const providerCookie = 'provider-sign-in'
/** A request can be answered for 10 minutes, and its account proved for 30 minutes after. */
const providerCookieSeconds = 40 * 60

interface BrowserSessionPorts {
  sessions: Sessions
  attemptLimits: AccountAttemptLimits
}

/** Gives the sign-in operations of the schema access to the browser that sent this request: its session and cookies. */
export const createBrowserSession = (
  { sessions, attemptLimits }: BrowserSessionPorts,
  request: Request,
  response: Response,
  cookies: Cookies,
): BrowserSession => ({
  attemptLimits,
  address: clientNetwork(request.ip),
  userAgent: request.get('user-agent') ?? '',
  async signIn(proof) {
    const isSignedIn = await sessions.signIn(request, response, proof)
    if (isSignedIn) {
      rememberDevice(cookies, proof.userId)
      clearSignUp(cookies)
    }
    return isSignedIn
  },
  findDevice: (userId) => findDevice(cookies, userId),
  findKnownUsers: () => findKnownUsers(cookies),
  findTrust: (userId) => findTrust(cookies, userId),
  saveTrust: (userId, value) => rememberDevice(cookies, userId, value),
  findPendingSignIn: () => findPendingSignIn(cookies),
  savePendingSignIn: (pending) => savePendingSignIn(cookies, pending),
  clearPendingSignIn: () => clearPendingSignIn(cookies),
  findSignUp: () => findSignUp(cookies),
  saveSignUp: (signUp) => saveSignUp(cookies, signUp),
  findProviderBrowser: () => cookies.get(providerCookie) ?? null,
  saveProviderBrowser: (value) => cookies.set(providerCookie, value, providerCookieSeconds),
})

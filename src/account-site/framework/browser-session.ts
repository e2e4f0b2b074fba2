import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Cookies } from '../../web/cookies.ts'
import type { Request, Response } from 'express'
import type { AccountAttemptLimits } from '../../../schema/core/attempts/attempt-limit.ts'
import type { BrowserSession } from '../../../schema/core/browser-session.ts'
import { clientNetwork } from '../../auth/client-network.ts'
import type { Sessions } from '../../auth/sessions.ts'
import { clearSignUp, findSignUp, saveSignUp } from './pending-sign-up.ts'
import { clearCodeRequest, findCodeRequest, saveCodeRequest } from './code-request.ts'
import { jsonCookie } from './json-cookie.ts'
import { clearPendingSignIn, findPendingSignIn, savePendingSignIn } from './pending-sign-in.ts'

// Accounts that signed in with this browser, in an encrypted cookie that outlives the sessions. By it, attempt limits distinguish the
// browsers of an account's user from others (OWASP "device cookies"). It also contains the value by which the user trusts the browser;
// schema/security/trusted-devices/ decides if that is valid.

/** Maximum number of accounts, the most recent ones. A browser that many people share must not exceed the size of a cookie. */
const maxAccounts = 10

const device = z.object({ userId: z.string(), id: z.string(), trust: z.string().optional() })
const storedDevices = jsonCookie('device', 365 * 86_400, z.array(device))

const read = (cookies: Cookies) => storedDevices.find(cookies) ?? []

const find = (cookies: Cookies, userId: string) => read(cookies).find((device) => device.userId === userId)

/** Returns the identifier of this browser for an account that signed in with it before, or null. */
const findDevice = (cookies: Cookies, userId: string): string | null => find(cookies, userId)?.id ?? null

/** Returns the identifiers of the users who signed in with this browser before. */
const findKnownUsers = (cookies: Cookies): readonly string[] => read(cookies).map(({ userId }) => userId)

/** Returns the value by which the user trusts this browser, or null. */
const findTrust = (cookies: Cookies, userId: string): string | null => find(cookies, userId)?.trust ?? null

/**
 * Stores that an account signed in and, if `trust` is set, that the user trusts this browser. The identifier does not change, so that
 * signing in again does not reset its limits.
 */
function rememberDevice(cookies: Cookies, userId: string, trust?: string): void {
  const previous = read(cookies)
  const existing = previous.find((each) => each.userId === userId) ?? { userId, id: randomBytes(16).toString('base64url') }
  const device = trust === undefined ? existing : { ...existing, trust }
  const devices = [device, ...previous.filter((each) => each.userId !== userId)].slice(0, maxAccounts)
  storedDevices.save(cookies, devices)
}

const providerCookie = 'provider-sign-in'
/** A provider has 10 minutes for its response, and the user another 30 minutes to confirm the account. */
const providerCookieSeconds = 40 * 60

interface BrowserSessionPorts {
  sessions: Sessions
  attemptLimits: AccountAttemptLimits
}

/** Gives the sign-in operations of the schema access to the session and cookies of the browser that sent this request. */
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
      clearCodeRequest(cookies)
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
  findCodeRequest: () => findCodeRequest(cookies),
  saveCodeRequest: (codeRequest) => saveCodeRequest(cookies, codeRequest),
  clearCodeRequest: () => clearCodeRequest(cookies),
  findProviderBrowser: () => cookies.get(providerCookie) ?? null,
  saveProviderBrowser: (value) => cookies.set(providerCookie, value, providerCookieSeconds),
})

import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Cookies } from '../../web/cookies.ts'
import type { Request, Response } from 'express'
import type { AccountAttemptLimits } from '../../../schema/core/attempts/attempt-limit.ts'
import type { BrowserSession } from '../../../schema/core/browser-session.ts'
import { clientNetwork } from '../../auth/client-network.ts'
import type { Sessions } from '../../auth/sessions.ts'
import { clearSignUp, findSignUp, saveSignUp } from './pending-sign-up.ts'
import { clearPendingSignIn, findPendingSignIn, savePendingSignIn } from './pending-sign-in.ts'

// The accounts that signed in in this browser, in an encrypted cookie that outlives the sessions. It lets attempt limits
// tell the browser of an account's user from strangers (OWASP "device cookies"). It also carries the value by which the user
// trusts the browser; whether that is valid is decided in schema/security/trusted-devices/.

const cookie = 'device'
const cookieSeconds = 365 * 86_400
/** Accounts that are remembered, those used last. A browser that many people share must not exceed the size of a cookie. */
const maxAccounts = 10

const knownDevices = z.array(z.object({ userId: z.string(), id: z.string(), trust: z.string().optional() }))

function read(cookies: Cookies) {
  const text = cookies.get(cookie)
  return text === undefined ? [] : knownDevices.parse(JSON.parse(text))
}

const find = (cookies: Cookies, userId: string) => read(cookies).find((device) => device.userId === userId)

/** Returns the identifier of this browser for an account that signed in here before, or null. */
const findDevice = (cookies: Cookies, userId: string): string | null => find(cookies, userId)?.id ?? null

/** Returns the identifiers of the users who signed in in this browser before. */
const findKnownUsers = (cookies: Cookies): readonly string[] => read(cookies).map(({ userId }) => userId)

/** Returns the value by which the user trusts this browser, or null. */
const findTrust = (cookies: Cookies, userId: string): string | null => find(cookies, userId)?.trust ?? null

/**
 * Remembers that an account signed in, and that the user trusts this browser if `trust` is given. The identifier stays the same, so
 * that signing in again does not reset its limits.
 */
function rememberDevice(cookies: Cookies, userId: string, trust?: string): void {
  const known = read(cookies)
  const existing = known.find((each) => each.userId === userId) ?? { userId, id: randomBytes(16).toString('base64url') }
  const device = trust === undefined ? existing : { ...existing, trust }
  const devices = [device, ...known.filter((each) => each.userId !== userId)].slice(0, maxAccounts)
  cookies.set(cookie, JSON.stringify(devices), cookieSeconds)
}

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

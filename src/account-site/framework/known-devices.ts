import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Cookies } from '../../web/cookies.ts'

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
export const findDevice = (cookies: Cookies, userId: string): string | null => find(cookies, userId)?.id ?? null

/** Returns the identifiers of the users who signed in in this browser before. */
export const findKnownUsers = (cookies: Cookies): readonly string[] => read(cookies).map(({ userId }) => userId)

/** Returns the value by which the user trusts this browser, or null. */
export const findTrust = (cookies: Cookies, userId: string): string | null => find(cookies, userId)?.trust ?? null

/**
 * Remembers that an account signed in, and that the user trusts this browser if `trust` is given. The identifier stays the same, so
 * that signing in again does not reset its limits.
 */
export function rememberDevice(cookies: Cookies, userId: string, trust?: string): void {
  const known = read(cookies)
  const existing = known.find((each) => each.userId === userId) ?? { userId, id: randomBytes(16).toString('base64url') }
  const device = trust === undefined ? existing : { ...existing, trust }
  const devices = [device, ...known.filter((each) => each.userId !== userId)].slice(0, maxAccounts)
  cookies.set(cookie, JSON.stringify(devices), cookieSeconds)
}

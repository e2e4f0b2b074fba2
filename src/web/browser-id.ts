import type { Cookies } from './cookies.ts'

// A random identifier of the browser, in a cookie that only we can read or write. It tells browsers without a session apart.

const cookie = 'browser'
const browserIdSeconds = 30 * 86_400

/** Returns the identifier of the browser; undefined if it has none yet. */
export const findBrowserId = (cookies: Cookies): string | undefined => cookies.get(cookie)

/** Returns the identifier of the browser, which gets one if it has none. */
export function ensureBrowserId(cookies: Cookies): string {
  const existing = findBrowserId(cookies)
  if (existing !== undefined) return existing
  const id = crypto.randomUUID()
  cookies.set(cookie, id, browserIdSeconds)
  return id
}

import type { Request, Response } from 'express'
import { z } from 'zod'
import type { Ports } from '../../schema/core/ports.ts'
import { decryptOrNull, encrypt } from '../../schema/core/encryption.ts'
import { readCookie } from '../http/cookie-header.ts'

/** Encrypted cookies that expire. The key is derived from SECRET_KEY, so a browser can neither read, change nor prolong them. */
export interface Cookies {
  get(name: string): string | undefined
  set(name: string, value: string, seconds: number): void
  clear(name: string): void
}

export interface CookiePorts {
  authUrl: string
  deriveSecret: Ports['deriveSecret']
  now(): Date
}

const cookieContent = z.object({
  value: z.string(),
  /** Milliseconds since the epoch. Browsers may store a cookie beyond its `Max-Age`, so the content has its own limit. */
  until: z.number(),
})

/** Returns the cookies of one request. `get` also returns values that were set during the request. */
export function createCookies({ authUrl, deriveSecret, now }: CookiePorts, request: Request, response: Response): Cookies {
  const secure = authUrl.startsWith('https:')
  const getName = (name: string) => (secure ? `__Host-${name}` : name)
  const keyed = (name: string) => ['site cookie', Buffer.from(name)] as const
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const
  const written = new Map<string, string | undefined>()

  function read(name: string): string | undefined {
    const encrypted = readCookie(request.headers.cookie, getName(name))
    const decrypted =
      encrypted && decryptOrNull(deriveSecret.accepted(...keyed(name)), Buffer.from(encrypted, 'base64url'), Buffer.from(name))
    if (!decrypted) return undefined
    const { value, until } = cookieContent.parse(JSON.parse(decrypted.toString()))
    return until > now().getTime() ? value : undefined
  }

  return {
    get: (name) => (written.has(name) ? written.get(name) : read(name)),
    set(name, value, seconds) {
      const text = JSON.stringify({ value, until: now().getTime() + seconds * 1000 })
      const encrypted = encrypt(deriveSecret(...keyed(name)), Buffer.from(text), Buffer.from(name)).toString('base64url')
      response.cookie(getName(name), encrypted, { ...options, maxAge: seconds * 1000 })
      written.set(name, value)
    },
    clear(name) {
      response.clearCookie(getName(name), options)
      written.set(name, undefined)
    },
  }
}

// A random identifier of the browser, in a cookie that only this service can read or write. It distinguishes browsers without a session.

const cookie = 'browser'
const browserIdSeconds = 30 * 86_400

/** Returns the identifier of the browser; undefined if it has none yet. */
export const findBrowserId = (cookies: Cookies): string | undefined => cookies.get(cookie)

/** Returns the identifier of the browser. Assigns one if it has none. */
export function ensureBrowserId(cookies: Cookies): string {
  const existing = findBrowserId(cookies)
  if (existing !== undefined) return existing
  const id = crypto.randomUUID()
  cookies.set(cookie, id, browserIdSeconds)
  return id
}

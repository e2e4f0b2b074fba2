import type { Request, Response } from 'express'
import type { Ports } from '../../schema/context.ts'
import { openIfOurs, seal } from '../../schema/sealed.ts'
import { cookieOf } from '../session-credential.ts'

/** What a browser keeps for us and cannot read: sealed under SECRET_KEY, and of no use after its time. */
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

/** The cookies of one exchange. What was set is read back within it. */
export function createCookies({ authUrl, deriveSecret, now }: CookiePorts, request: Request, response: Response): Cookies {
  const secure = authUrl.startsWith('https:')
  const nameOf = (name: string) => (secure ? `__Host-${name}` : name)
  const keyOf = (name: string) => deriveSecret('site cookie', Buffer.from(name))
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const
  const written = new Map<string, string | undefined>()

  function open(name: string): string | undefined {
    const sealed = cookieOf(request.headers.cookie, nameOf(name))
    const opened = sealed && openIfOurs(keyOf(name), Buffer.from(sealed, 'base64url'), Buffer.from(name))
    if (!opened) return undefined
    const { value, until } = JSON.parse(opened.toString()) as { value: string; until: number }
    return until > now().getTime() ? value : undefined
  }

  return {
    get: (name) => (written.has(name) ? written.get(name) : open(name)),
    set(name, value, seconds) {
      const text = JSON.stringify({ value, until: now().getTime() + seconds * 1000 })
      const sealed = seal(keyOf(name), Buffer.from(text), Buffer.from(name)).toString('base64url')
      response.cookie(nameOf(name), sealed, { ...options, maxAge: seconds * 1000 })
      written.set(name, value)
    },
    clear(name) {
      response.clearCookie(nameOf(name), options)
      written.set(name, undefined)
    },
  }
}

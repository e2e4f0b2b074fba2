import { z } from 'zod'
import type { CodeRequest } from '../../../schema/core/browser-session.ts'
import type { Cookies } from '../../web/cookies.ts'

// The browser stores its last request of a sign-in code in an encrypted cookie, so that a code works only in the browser that requested it.

const cookie = 'code-request'
/** As long as the code is valid. */
const cookieSeconds = 600

const codeRequest = z.object({ linkId: z.string(), email: z.string() })

export const saveCodeRequest = (cookies: Cookies, request: CodeRequest): void => cookies.set(cookie, JSON.stringify(request), cookieSeconds)

/** Returns null if this browser requested no code in the last ten minutes, or was used to sign in since then. */
export function findCodeRequest(cookies: Cookies): CodeRequest | null {
  const text = cookies.get(cookie)
  return text === undefined ? null : codeRequest.parse(JSON.parse(text))
}

export function clearCodeRequest(cookies: Cookies): void {
  if (findCodeRequest(cookies)) cookies.clear(cookie)
}

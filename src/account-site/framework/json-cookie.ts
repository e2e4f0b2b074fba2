import type { z } from 'zod'
import type { Cookies } from '../../web/cookies.ts'

/** Declares a value that the browser stores in an encrypted cookie, as JSON, for a number of seconds. */
export function jsonCookie<Value>(name: string, seconds: number, type: z.ZodType<Value>) {
  /** Returns the stored value; null if there is none, or if it has expired. */
  function find(cookies: Cookies): Value | null {
    const text = cookies.get(name)
    return text === undefined ? null : type.parse(JSON.parse(text))
  }
  return {
    find,
    save: (cookies: Cookies, value: Value): void => cookies.set(name, JSON.stringify(value), seconds),
    clear(cookies: Cookies): void {
      if (find(cookies) !== null) cookies.clear(name)
    },
  }
}

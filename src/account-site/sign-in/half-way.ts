import { z } from 'zod'
import type { Cookies } from '../cookies.ts'

// A person whose password was right and whose second factor is still to come. The browser carries it, sealed.

const cookie = 'half-way'
const minutes = 10

const halfWay = z.object({ userId: z.string(), passwordDigest: z.string().nullable(), returnTo: z.string() })
export type HalfWay = z.output<typeof halfWay>

export const keepHalfWay = (cookies: Cookies, state: HalfWay): void => cookies.set(cookie, JSON.stringify(state), minutes * 60)

/** Null where no password was given in this browser in the last ten minutes. */
export function findHalfWay(cookies: Cookies): HalfWay | null {
  const text = cookies.get(cookie)
  return text === undefined ? null : halfWay.parse(JSON.parse(text))
}

export const endHalfWay = (cookies: Cookies): void => cookies.clear(cookie)

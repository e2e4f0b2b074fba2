import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Ports } from '../../schema/core/ports.ts'

/** CSRF tokens, each bound to one form and one browser. */
export interface CsrfTokens {
  /** Returns the token for the form's hidden field. `parts` identify the form, and the browser or session that receives it. */
  of(...parts: string[]): string
  /** Returns true if the token was created for these parts. Takes constant time. */
  isValid(token: string, ...parts: string[]): boolean
}

/** Tokens are keyed digests of their parts, so the server stores nothing. */
export function createCsrfTokens(deriveSecret: Ports['deriveSecret']): CsrfTokens {
  const keyed = (parts: string[]) => ['csrf', Buffer.from(JSON.stringify(parts))] as const
  return {
    of: (...parts) => deriveSecret(...keyed(parts)).toString('base64url'),
    isValid(token, ...parts) {
      const actual = Buffer.from(token)
      return deriveSecret.accepted(...keyed(parts)).some((digest) => {
        const expected = Buffer.from(digest.toString('base64url'))
        return actual.length === expected.length && timingSafeEqual(actual, expected)
      })
    },
  }
}

/**
 * Returns true if the browser's header fields allow the form to come from one of our pages. A request without these fields is accepted,
 * because the token decides. `Origin: null` is accepted only with `Sec-Fetch-Site: same-origin`, which browsers send under a referrer
 * policy that hides the origin.
 */
export function isFromOwnPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, authUrl: string): boolean {
  if (site === 'cross-site') return false
  return origin === undefined || origin === authUrl || (origin === 'null' && site === 'same-origin')
}

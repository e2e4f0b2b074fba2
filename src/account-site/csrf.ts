import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Ports } from '../../schema/context.ts'

/** Binds a form to what it was shown for. */
export interface Seal {
  /** For the form's hidden field; `parts` say which form this is, and for whom. */
  of(...parts: string[]): string
  /** Whether it was made for these parts; takes as long whatever it is. */
  isRight(sealed: string, ...parts: string[]): boolean
}

/** Seals are keyed digests, so nothing is kept of a form that is never sent. */
export function createSeal(deriveSecret: Ports['deriveSecret']): Seal {
  const digest = (parts: string[]) => deriveSecret('csrf', Buffer.from(JSON.stringify(parts)))
  return {
    of: (...parts) => digest(parts).toString('base64url'),
    isRight(sealed, ...parts) {
      const right = Buffer.from(digest(parts).toString('base64url'))
      const given = Buffer.from(sealed)
      return given.length === right.length && timingSafeEqual(given, right)
    },
  }
}

/**
 * Whether a form can have come from a page of ours, as far as the browser tells; one that tells nothing is believed, for
 * the seal decides. A `null` origin, as of a browser that tells nobody where it comes from, is a page of ours only where the
 * browser says that the origin is the same.
 */
export function isFromOwnPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, authUrl: string): boolean {
  if (site === 'cross-site') return false
  return origin === undefined || origin === authUrl || (origin === 'null' && site === 'same-origin')
}

/** Query parameter with the address that the browser returns to after signing in or confirming a password. */
export const returnParameter = 'return_to'

/** Longer than any address of the account site. Browsers drop a cookie that would have to store a longer one. */
const maxCharacters = 2000

/**
 * Returns `address` as path and query when it belongs to our own origin, otherwise `/`. The URL parser reads the address
 * as browsers do, so `//host` and `/\host` count as other hosts. `/..//host` is a path on our origin, but resolves to
 * `//host`, which a browser would read as another host; it is refused too.
 */
export function ownAddress(address: string | null | undefined, authUrl: string): string {
  if (!address?.startsWith('/') || address.length > maxCharacters) return '/'
  const url = URL.parse(address, authUrl)
  return url?.origin === authUrl && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : '/'
}

interface RequestWithQuery {
  query: URLSearchParams
  site: { authUrl: string }
}

/** Returns the return address in the query of the request, or `/`. */
export const returnOf = ({ query, site }: RequestWithQuery): string => ownAddress(query.get(returnParameter), site.authUrl)

/** Query parameter with the address to which the browser returns after the user signs in or confirms a password. */
export const returnParameter = 'return_to'

/** Maximum length of a return address. It exceeds every address of the account site. Browsers drop a cookie that is too long. */
const maxCharacters = 2000

/**
 * Returns `address` as path and query if it belongs to this origin, otherwise `/`. The URL parser reads the address as browsers do, so
 * `//host` and `/\host` count as other hosts. `/..//host` is refused, too: it is a path on this origin, but resolves to `//host`, which a
 * browser would read as another host.
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
export const readReturnAddress = ({ query, site }: RequestWithQuery): string => ownAddress(query.get(returnParameter), site.authUrl)

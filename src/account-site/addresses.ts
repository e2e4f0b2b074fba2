import type { Visit } from './visit.ts'

// Where the pages are that other parts of the service lead to.

export const signInPath = '/sign-in'
export const signUpPath = '/sign-up'
export const forgottenPasswordPath = '/forgotten-password'
export const accountPath = '/account'
export const securityPath = '/security'

/** Where somebody whose password was right shows their second factor. */
export const secondFactorPath = '/sign-in/second-factor'

/** Where an opened invitation is read and answered. */
export const invitationPath = '/invitation'

/** Where the page leads on that a person was to be asked before, as its query names it. */
export const returnParameter = 'return_to'

const leadingOn =
  (page: string) =>
  (path: string): string =>
    `${page}?${new URLSearchParams({ [returnParameter]: path })}`

/** The sign-in page, from which the person comes back to `path`. */
export const signInAt = leadingOn(signInPath)

/** The page that makes an account, with where the person was to sign in for. */
export const signUpAt = leadingOn(signUpPath)

/** The page that asks for a mail under which a new password is chosen, with where the person was to sign in for. */
export const forgottenPasswordAt = leadingOn(forgottenPasswordPath)

/** The page that asks for the password again, from which the person comes back to `path`. */
export const confirmAt = leadingOn('/confirm')

/** More than any page of ours has; a browser drops the cookie in which a longer one would be kept. */
const mostCharacters = 2000

/**
 * An address of our own origin that a page may lead on to, as path and query; `/` for any other. What browsers read as
 * another host, `//host` and `/\host`, does not get by: it is read as they do. Nor does `/..//host`, which is a path of
 * ours and becomes another host when what it resolves to is read again.
 */
export function ownAddress(address: string | null | undefined, authUrl: string): string {
  if (!address?.startsWith('/') || address.length > mostCharacters) return '/'
  const url = URL.parse(address, authUrl)
  return url?.origin === authUrl && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : '/'
}

/** Where the page leads on to, as its address says; its forms are sent there too. */
export const returnOf = ({ query, site }: Visit): string => ownAddress(query.get(returnParameter), site.authUrl)

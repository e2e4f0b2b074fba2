import type { Cookies } from '../../web/cookies.ts'
import type { MailLinkKind } from '../generated/operations.ts'
import type { PageContext } from '../framework/page-context.ts'

// The secret of a mail's link, in an encrypted cookie of the browser that opened it, one cookie for each kind. Neither
// addresses nor forms carry the secret while the user signs in or up.

type SecretKind = MailLinkKind | 'INVITATION'

const hourInSeconds = 3600
const cookieName = (kind: SecretKind) => kind.toLowerCase()

/** Saves the secret for an hour, so that the user can sign up or in meanwhile. */
export const saveLinkSecret = (cookies: Cookies, kind: SecretKind, secret: string): void =>
  cookies.set(cookieName(kind), secret, hourInSeconds)

/** Returns the secret of the link of this kind that was opened last; an empty string, which is never a secret, if there is none. */
export const savedLinkSecret = (cookies: Cookies, kind: SecretKind): string => cookies.get(cookieName(kind)) ?? ''

/** Binds the forms of a page to the link that it shows. Another link may be opened in a second tab. */
export const linkSecretSubject =
  (kind: SecretKind) =>
  ({ cookies }: PageContext) =>
    savedLinkSecret(cookies, kind)

export const clearLinkSecret = (cookies: Cookies, kind: SecretKind): void => cookies.clear(cookieName(kind))

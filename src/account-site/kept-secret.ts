import type { MailLinkKind } from '../../prisma/generated/client/enums.ts'
import { guesserOf } from '../guesses.ts'
import type { Cookies } from './cookies.ts'
import type { Visit } from './visit.ts'

// The secret of a mail's link, kept sealed by the browser that opened it, one of each kind: neither addresses nor forms
// carry it, while somebody signs in or up too.

type SecretKind = MailLinkKind | 'invitation'

const hourInSeconds = 3600

/** Keeps the secret for as long as signing up may take. */
export const keepSecret = (cookies: Cookies, kind: SecretKind, secret: string): void => cookies.set(kind, secret, hourInSeconds)

/** The secret of the link of this kind that was opened last; empty, which is no secret, where there is none. */
export const keptSecret = (cookies: Cookies, kind: SecretKind): string => cookies.get(kind) ?? ''

/** Binds the forms of a page to the link that was shown: another may be opened beside it. */
export const aboutSecret =
  (kind: SecretKind) =>
  ({ cookies }: Visit) =>
    keptSecret(cookies, kind)

export const forgetSecret = (cookies: Cookies, kind: SecretKind): void => cookies.clear(kind)

/**
 * What `find` knows of the secret in the address that was opened; null where it never was one, which counts as a guess.
 * The page keeps it and leads on at once, so that it leaves the address bar. Nothing is used up or answered: programs
 * open the links of mails too.
 */
export async function openSecret<Found>(
  { site, request, response, param }: Visit,
  find: (secret: string) => Promise<Found | null>,
): Promise<Found | null> {
  const address = guesserOf(request.ip)
  await site.guesses.link.attempt(address)
  const found = await find(param('secret'))
  // Who has one that was sent guesses nothing, however old it is.
  if (found) await site.guesses.link.forgive(address)
  response.set('Cache-Control', 'no-store')
  return found
}

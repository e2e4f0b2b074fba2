import type { MailLink } from '../../../prisma/generated/client/client.ts'
import type { MailLinkKind } from '../../../prisma/generated/client/enums.ts'
import { findMailLink } from '../../../schema/mail-link.ts'
import type { Cookies } from '../cookies.ts'
import type { Visit } from '../visit.ts'

// The secret of a mail's link, kept sealed by the browser that opened it: neither addresses nor forms carry it.

/** Where the links of each kind lead, once their secret is kept. */
export const landingPath: Record<MailLinkKind, string> = {
  verify_email: '/verify-email',
  change_email: '/change-email',
  reset_password: '/reset-password',
}

/** Where one leads that can no longer be used. */
export const linkEndedPath = '/link-ended'

const hourInSeconds = 3600

export const keepLink = (cookies: Cookies, kind: MailLinkKind, secret: string): void => cookies.set(kind, secret, hourInSeconds)

/** The secret of the link of this kind that was opened last; empty, which is no secret, where there is none. */
export const keptLink = (cookies: Cookies, kind: MailLinkKind): string => cookies.get(kind) ?? ''

/** Binds the forms of such a page to the link that was shown: another may be opened beside it. */
export const aboutLink =
  (kind: MailLinkKind) =>
  ({ cookies }: Visit) =>
    keptLink(cookies, kind)

export const forgetLink = (cookies: Cookies, kind: MailLinkKind): void => cookies.clear(kind)

type UsableLink = Pick<MailLink, 'email' | 'userId'>

const found = new WeakMap<Visit, UsableLink>()

/** For pages that need such a link: away from them where none is kept that can be used now. */
export const needsLink = (kind: MailLinkKind) => async (visit: Visit) => {
  const link = await findMailLink(visit.site.database.prisma, visit.site.now(), keptLink(visit.cookies, kind))
  if (link?.kind !== kind || !link.isLive) return linkEndedPath
  found.set(visit, link)
  return undefined
}

/** The link that `needsLink` found for this visit. */
export function linkOf(visit: Visit): UsableLink {
  const link = found.get(visit)
  if (!link) throw new Error('the page needs no link')
  return link
}

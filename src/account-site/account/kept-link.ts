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

async function usableLink({ site, cookies }: Visit, kind: MailLinkKind) {
  const link = await findMailLink(site.database.prisma, site.now(), keptLink(cookies, kind))
  return link?.kind === kind && link.isLive ? link : null
}

/** The address that the kept link was mailed to; null where none is kept that can be used now. */
export const keptAddress = async (visit: Visit, kind: MailLinkKind): Promise<string | null> =>
  (await usableLink(visit, kind))?.email ?? null

/** Whether the kept link was made for an account, but not for that of the person who is signed in. */
export const isOfAnother = async (visit: Visit, kind: MailLinkKind): Promise<boolean> =>
  (await usableLink(visit, kind))?.userId !== visit.person?.user.id

/** For pages that need such a link: away from them where there is none. */
export const needsLink = (kind: MailLinkKind) => async (visit: Visit) =>
  (await keptAddress(visit, kind)) === null ? linkEndedPath : undefined

import type { MailLink } from '../../../prisma/generated/client/client.ts'
import type { MailLinkKind } from '../../../prisma/generated/client/enums.ts'
import { findMailLink } from '../../../schema/mail-link.ts'
import { keptSecret } from '../kept-secret.ts'
import type { Visit } from '../visit.ts'

/** Where the links of each kind lead, once their secret is kept. */
export const landingPath: Record<MailLinkKind, string> = {
  verify_email: '/verify-email',
  change_email: '/change-email',
  reset_password: '/reset-password',
}

/** Where one leads that can no longer be used. */
export const linkEndedPath = '/link-ended'

type UsableLink = Pick<MailLink, 'email' | 'userId'>

const found = new WeakMap<Visit, UsableLink>()

/** For pages that need such a link: away from them where none is kept that can be used now. */
export const needsLink = (kind: MailLinkKind) => async (visit: Visit) => {
  const link = await findMailLink(visit.site.database.prisma, visit.site.now(), keptSecret(visit.cookies, kind))
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

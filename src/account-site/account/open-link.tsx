import { findMailLink } from '../../../schema/mail-link.ts'
import { mailLinkPath } from '../../mail/link.ts'
import { accountPath, forgottenPasswordAt } from '../addresses.ts'
import { page } from '../declaration.ts'
import { keepSecret, openSecret } from '../kept-secret.ts'
import { keptReturn } from './kept-return.ts'
import { landingPath, linkEndedPath } from './kept-link.ts'

/** Where the links of mails lead. */
export const openLink = page({
  path: `${mailLinkPath}:secret`,
  title: 'Link',
  for: 'anyone',
  async before(visit) {
    const { site, cookies, param } = visit
    const link = await openSecret(visit, (secret) => findMailLink(site.database.prisma, site.now(), secret))
    if (!link?.isLive) return linkEndedPath
    keepSecret(cookies, link.kind, param('secret'))
    return landingPath[link.kind]
  },
  view: () => null,
})

/** What a link that never was leads to as well: they are not told apart. */
export const linkEnded = page({
  path: linkEndedPath,
  title: 'This link no longer works',
  for: 'anyone',
  view: (_, visit) => (
    <>
      <p>It was used already, is too old, was replaced by a newer one, or is not complete. Only the link in the newest mail works.</p>
      <p>
        To choose a new password, <a href={forgottenPasswordAt(keptReturn(visit))}>ask for another mail</a>. For anything else, a new link
        can be asked for in <a href={accountPath}>your account</a>.
      </p>
    </>
  ),
})

import { findMailLink } from '../../../schema/mail-link.ts'
import { guesserOf } from '../../guesses.ts'
import { mailLinkPath } from '../../mail/link.ts'
import { page } from '../declaration.ts'
import { keepLink, landingPath, linkEndedPath } from './kept-link.ts'

/**
 * Where the links of mails lead. The secret is exchanged for a cookie at once, and leaves the address
 * bar. The link is not used up: programs open the links of mails too.
 */
export const openLink = page({
  path: `${mailLinkPath}:secret`,
  title: 'Link',
  for: 'anyone',
  async before({ site, request, response, cookies, param }) {
    const address = guesserOf(request.ip)
    await site.guesses.link.attempt(address)
    const secret = param('secret')
    const link = await findMailLink(site.database.prisma, site.now(), secret)
    // Who has one that was sent guesses nothing, however old it is.
    if (link) await site.guesses.link.forgive(address)
    response.set('Cache-Control', 'no-store')
    if (!link?.isLive) return linkEndedPath
    keepLink(cookies, link.kind, secret)
    return landingPath[link.kind]
  },
  view: () => null,
})

/** What a link that never was leads to as well: they are not told apart. */
export const linkEnded = page({
  path: linkEndedPath,
  title: 'This link no longer works',
  for: 'anyone',
  view: () => (
    <>
      <p>It was used already, is too old, was replaced by a newer one, or is not complete. Only the link in the newest mail works.</p>
      <p>
        To choose a new password, <a href="/forgotten-password">ask for another mail</a>. For anything else, a new link can be asked for in{' '}
        <a href="/account">your account</a>.
      </p>
    </>
  ),
})

import { mailLinkPath } from '../../mail/link.ts'
import { accountPath, forgottenPasswordAt } from '../../web/page-paths.ts'
import { page } from '../framework/page.ts'
import { finishSignUp } from '../sign-up/verify-email.tsx'
import { saveLinkSecret, findOpenedLink, landingPath, linkEndedPath } from './opened-link.ts'
import { savedReturnAddress } from './link-return-address.ts'

/**
 * The target of links in mails. It saves the secret and redirects at once, which removes the secret from the address bar. Nothing else
 * happens, because mail scanners open links too, except in the browser that signed up for the link's account.
 */
export const openLink = page({
  path: `${mailLinkPath}:secret`,
  title: 'Link',
  isPublic: true,
  async load(ctx) {
    const link = await findOpenedLink(ctx)
    ctx.response.set('Cache-Control', 'no-store')
    const secret = ctx.param('secret')
    const firstPage = link?.kind === 'VERIFY_EMAIL' ? await finishSignUp(ctx, link, secret) : undefined
    if (firstPage !== undefined) return firstPage
    if (!link?.isUsable) return linkEndedPath
    saveLinkSecret(ctx.cookies, link.kind, secret)
    return landingPath[link.kind]
  },
  view: () => null,
})

/** The page for links that cannot be used. It is the same for unknown links, so that the two are indistinguishable. */
export const linkEnded = page({
  path: linkEndedPath,
  title: 'This link is not valid',
  isPublic: true,
  view: (_, ctx) => (
    <>
      <p>The link was already used, has expired, was replaced by a newer one, or is incomplete. Use the link in the most recent email.</p>
      <p>To choose a new password, request another link. For anything else, go to your account.</p>
      <div class="buttons column">
        <a class="button" href={forgottenPasswordAt(savedReturnAddress(ctx))}>
          Request another link
        </a>
        <a class="button second" href={accountPath}>
          Go to your account
        </a>
      </div>
    </>
  ),
})

import { page } from '../framework/page.ts'
import { clearLinkSecret, savedLinkSecret } from '../mail-links/link-secret.ts'
import { AnotherAccount } from '../mail-links/another-account.tsx'
import { findSavedLink, landingPath, linkEndedPath } from '../mail-links/opened-link.ts'
import { finishSignUp } from './finish.ts'

const kind = 'VERIFY_EMAIL'

/**
 * Verifies the email address of an account in a session of that account, for a link that was opened in a browser which did not sign up. An
 * attacker who created an account with the address of another person must not get it verified by that person. Mail scanners that open the
 * link have no session.
 */
export const verifyEmail = page({
  path: landingPath[kind],
  title: 'Verify your email address',
  async load(ctx) {
    const link = await findSavedLink(ctx, kind)
    if (link?.isUsable && !link.isOwn) return undefined
    const nextPage = link ? await finishSignUp(ctx, link, savedLinkSecret(ctx.cookies, kind)) : undefined
    clearLinkSecret(ctx.cookies, kind)
    return nextPage ?? linkEndedPath
  },
  view: (_, ctx) => <AnotherAccount ctx={ctx} />,
})

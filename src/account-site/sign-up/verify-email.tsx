import { DomainError } from '../../../schema/core/errors.ts'
import { invitationPath, newTeamPath, secondFactorAt } from '../../web/page-paths.ts'
import { saveNotice } from '../framework/notice.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { findSignUp } from '../framework/pending-sign-up.ts'
import { CompleteSignUpDocument, VerifyEmailDocument } from '../generated/operations.ts'
import type { SavedLinkQuery } from '../generated/operations.ts'
import { savedLinkSecret, clearLinkSecret, findSavedLink, landingPath, linkEndedPath } from '../mail-links/opened-link.ts'
import { clearReturnAddress, savedReturnAddress } from '../mail-links/link-return-address.ts'
import { page } from '../framework/page.ts'
import { AnotherAccount } from '../mail-links/another-account.tsx'

const completeSignUp = siteOperation(CompleteSignUpDocument)
const verification = siteOperation(VerifyEmailDocument)

type Link = Pick<NonNullable<SavedLinkQuery['savedLink']>, 'email' | 'isUsable' | 'isOwn'>

/**
 * Uses a link that verifies an address if this browser signed up for the account, which also signs in, or is signed in to it. Returns the
 * next page. Returns undefined if the user must sign in first, or the link cannot be used.
 */
export async function finishSignUp(ctx: PageContext, { email, isUsable, isOwn }: Link, token: string): Promise<string | undefined> {
  const { person, cookies } = ctx
  // The link was opened a second time.
  if (!isUsable) return isOwn && person?.user.emailVerified ? '/' : undefined
  if (person ? !isOwn : !findSignUp(cookies)) return undefined
  try {
    const isSignedIn = person
      ? (await verification.run({ input: { token } }, ctx)) && true
      : (await completeSignUp.run({ input: { token } }, ctx)).completeSignUp.isSignedIn
    saveNotice(ctx, `Your email address ${email} is verified.`)
    return isSignedIn ? firstPage(ctx) : secondFactorAt(firstPage(ctx))
  } catch (error) {
    // This browser signed up for another account, or the link was used or replaced at the same time.
    if (error instanceof DomainError && error.code === 'validation_failed') return undefined
    throw error
  }
}

/** Returns the page for a user whose address was just verified. */
function firstPage(ctx: PageContext): string {
  const { cookies, teams } = ctx
  if (savedLinkSecret(cookies, 'INVITATION')) return invitationPath
  const returnTo = savedReturnAddress(ctx)
  clearReturnAddress(ctx)
  return returnTo !== '/' || teams.length > 0 ? returnTo : newTeamPath
}

const kind = 'VERIFY_EMAIL'

/**
 * Verifies the email address of an account in a session of that account, for a link that was opened in a browser which did not sign up. An
 * attacker who created an account with another person's address must not get it verified by that person. Mail scanners that open the link
 * have no session.
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

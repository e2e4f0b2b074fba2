import { DomainError } from '../../../schema/core/errors.ts'
import type { Cookies } from '../../web/cookies.ts'
import { quoteName } from '../../web/display-name.ts'
import { saveNotice } from '../framework/notice.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { AcceptInvitationDocument } from '../generated/operations.ts'
import { clearLinkSecret, savedLinkSecret } from '../mail-links/opened-link.ts'

const acceptInvitation = siteOperation(AcceptInvitationDocument)

const cookie = 'join'
const cookieSeconds = 600

/** Records that the user chose to sign up and join by the opened invitation. It is accepted once the user is signed in. */
export const saveJoin = (cookies: Cookies): void => cookies.set(cookie, savedLinkSecret(cookies, 'INVITATION'), cookieSeconds)

/** Accepts the invitation that the user chose to join by. Returns the page of the team, or undefined if the invitation has to be shown. */
export async function joinAfterSignUp(ctx: PageContext): Promise<string | undefined> {
  const { person, cookies, request, response, site } = ctx
  const chosen = cookies.get(cookie)
  if (!person || chosen === undefined) return undefined
  cookies.clear(cookie)
  if (chosen !== savedLinkSecret(cookies, 'INVITATION')) return undefined
  try {
    const { team } = (await acceptInvitation.run({ input: { token: chosen } }, ctx)).acceptInvitation
    await site.sessions.renew(request, response)
    saveNotice(ctx, joined(team))
    clearLinkSecret(cookies, 'INVITATION')
    return `/teams/${team.slug}`
  } catch (error) {
    // The page says what the invitation has become, or that the user is signed in with another address.
    if (error instanceof DomainError) return undefined
    throw error
  }
}

export const joined = ({ name }: { name: string }): string => `You joined the team ${quoteName(name)}.`

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

/** Stores that the user chose to sign up in order to accept the opened invitation. It is accepted once the user is signed in. */
export const saveJoin = (cookies: Cookies): void => cookies.set(cookie, savedLinkSecret(cookies, 'INVITATION'), cookieSeconds)

/** Accepts the invitation of a user who signed up for it. Returns the page of the team, or undefined if the invitation must be shown. */
export async function joinAfterSignUp(ctx: PageContext): Promise<string | undefined> {
  const { person, cookies, request, response, site } = ctx
  const secret = cookies.get(cookie)
  if (!person || secret === undefined) return undefined
  cookies.clear(cookie)
  if (secret !== savedLinkSecret(cookies, 'INVITATION')) return undefined
  try {
    const { team } = (await acceptInvitation.run({ input: { token: secret } }, ctx)).acceptInvitation
    await site.sessions.renew(request, response)
    saveNotice(ctx, joined(team))
    clearLinkSecret(cookies, 'INVITATION')
    return `/teams/${team.slug}`
  } catch (error) {
    // The page shows the current state of the invitation, or that the user is signed in with another address.
    if (error instanceof DomainError) return undefined
    throw error
  }
}

export const joined = ({ name }: { name: string }): string => `You joined the team ${quoteName(name)}.`

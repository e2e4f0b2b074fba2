import { emailedCodePath } from '../../web/page-paths.ts'
import type { Cookies } from '../../web/cookies.ts'
import type { MailLinkKind, OpenedLinkQuery, SavedLinkQuery } from '../generated/operations.ts'
import type { PageContext } from '../framework/page-context.ts'
import { prepareDocument, run } from '../../../schema/execute.ts'
import { OpenedLinkDocument, SavedLinkDocument } from '../generated/operations.ts'

// The secret of a mail's link is in an encrypted cookie of the browser that opened it, with one cookie for each kind. Addresses and forms
// do not contain the secret while the user signs in or up.

type SecretKind = MailLinkKind | 'INVITATION'

const hourInSeconds = 3600
const cookieName = (kind: SecretKind) => kind.toLowerCase()

/** Saves the secret for an hour, so that the user can sign up or in meanwhile. */
export const saveLinkSecret = (cookies: Cookies, kind: SecretKind, secret: string): void =>
  cookies.set(cookieName(kind), secret, hourInSeconds)

/** Returns the secret of the link of this kind that was opened last; an empty string, which is never a secret, if there is none. */
export const savedLinkSecret = (cookies: Cookies, kind: SecretKind): string => cookies.get(cookieName(kind)) ?? ''

/** Binds the forms of a page to the link that it shows. Another link may be opened in a second tab. */
export const linkSecretSubject =
  (kind: SecretKind) =>
  ({ cookies }: PageContext) =>
    savedLinkSecret(cookies, kind)

export const clearLinkSecret = (cookies: Cookies, kind: SecretKind): void => cookies.clear(cookieName(kind))

/** The page for each kind of link. The browser is redirected to it after the secret is saved. */
export const landingPath: Record<MailLinkKind, string> = {
  VERIFY_EMAIL: '/verify-email',
  CHANGE_EMAIL: '/change-email',
  RESET_PASSWORD: '/reset-password',
  PROVE_ACCOUNT: '/confirm/link',
  SIGN_IN: emailedCodePath,
}

/** The page for links that cannot be used. */
export const linkEndedPath = '/link-ended'

type OpenedLink = NonNullable<SavedLinkQuery['savedLink']>

const openedLink = prepareDocument(OpenedLinkDocument)
const savedLink = prepareDocument(SavedLinkDocument)

/** Finds the link by the secret in the address. An unknown secret counts as an attempt. */
export const findOpenedLink = async ({ graphqlContext, param }: PageContext): Promise<OpenedLink | null> =>
  (await run<OpenedLinkQuery>(openedLink, { token: param('secret') }, graphqlContext)).openedLink

/** Finds the link of this kind that this browser opened last; null if there is none. */
export const findSavedLink = async ({ cookies, graphqlContext }: PageContext, kind: MailLinkKind): Promise<OpenedLink | null> =>
  (await run<SavedLinkQuery>(savedLink, { token: savedLinkSecret(cookies, kind) }, graphqlContext)).savedLink

/** Loads the link for a page that needs one of this kind. Redirects if this browser has saved no usable link. */
export const loadLink =
  (kind: MailLinkKind) =>
  async (ctx: PageContext): Promise<OpenedLink | string> => {
    const link = await findSavedLink(ctx, kind)
    return link?.kind === kind && link.isUsable ? link : linkEndedPath
  }

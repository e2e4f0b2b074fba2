import type { DomainError } from '../../schema/core/errors.ts'
import { returnParameter } from './return-address.ts'

// Paths of pages to which other parts of the service link.

export const signInPath = '/sign-in'
export const signUpPath = '/sign-up'
/** The page that requests the code of an email. */
export const emailedCodePath = '/sign-in/code'
/** The page that waits for the user to open the link in the sign-up email. */
export const checkEmailPath = '/sign-up/check-email'
export const forgottenPasswordPath = '/forgotten-password'
export const accountPath = '/account'
/** The user's teams and the invitations to others. */
export const ownTeamsPath = '/account/teams'
export const emailPath = '/account/email'
export const notificationsPath = '/account/notifications'
export const dataPath = '/account/data'
export const deletedTeamsPath = '/account/deleted-teams'
export const securityPath = '/security'
export const twoFactorPath = '/security/two-factor'
export const authenticatorPath = '/security/authenticator'
export const passkeysPath = '/security/passkeys'
export const identitiesPath = '/security/accounts'
export const personalTokensPath = '/tokens'
export const applicationsPath = '/applications'

/** The start of the pages of staff, which exist only for them. */
export const staffPath = '/staff'

/** Parameter with the user in the path of a page of an account that staff read. No page of an account has a parameter with this name. */
export const accountParameter = 'account'

/** Returns the start of the addresses at which staff read the pages of an account. */
export const accountPagesAt = (userId: string): string => `${staffPath}/users/${userId}/pages`

/** Base path of the pages for sign-in and consent of an authorization request. The interaction's identifier follows. */
export const interactionPath = '/login/oauth/interaction'
export const isInteractionPath = (path: string): boolean => path.startsWith(`${interactionPath}/`)

/** The page that requests the second factor after a correct password. */
export const secondFactorPath = '/sign-in/second-factor'

export const newTeamPath = '/teams/new'

/** The page that shows an opened invitation, to accept or decline it. */
export const invitationPath = '/invitation'

const withReturnAddress =
  (pagePath: string) =>
  (returnAddress: string): string =>
    `${pagePath}?${new URLSearchParams({ [returnParameter]: returnAddress })}`

/** Returns the address of the sign-in page, which leads to the return address afterwards. */
export const signInAt = withReturnAddress(signInPath)

/** Query parameter of the sign-in page for a signed-in user who wants another account. */
export const anotherAccountParameter = 'another'
export const signInAsAnotherAt = (returnAddress: string): string => `${signInAt(returnAddress)}&${anotherAccountParameter}=1`

/** Returns the address of the second-factor page, which leads to the return address after the sign-in. */
export const secondFactorAt = withReturnAddress(secondFactorPath)

/** Returns the address of the sign-up page, which leads to the address for which the user was asked to sign in. */
export const signUpAt = withReturnAddress(signUpPath)

/** Returns the address of the page that requests the code of an email. */
export const emailedCodeAt = withReturnAddress(emailedCodePath)

/** Returns the address of the page that waits for the sign-up email, with the address for which the user was asked to sign in. */
export const checkEmailAt = withReturnAddress(checkEmailPath)

/** Returns the address of the page that sends a password reset mail, with the address for which the user was asked to sign in. */
export const forgottenPasswordAt = withReturnAddress(forgottenPasswordPath)

/** Returns the address of the page that requests the password again, which leads to the return address afterwards. */
export const confirmAt = withReturnAddress('/confirm')

/**
 * The page on which a user confirms the account after a sign-in that only the provider of a team vouches for. It leads to the return
 * address afterwards.
 */
export const confirmAccountPath = '/confirm/account'
export const confirmAccountAt = withReturnAddress(confirmAccountPath)

/** Returns the page on which a user can continue after this refusal. */
export const confirmationFor = ({ code }: DomainError) => (code === 'own_proof_required' ? confirmAccountAt : confirmAt)

/** Returns the address of the sign-in through the provider of a team, which leads to the return address afterwards. */
export const teamSignInAt = (slug: string, returnAddress: string): string => withReturnAddress(`${signInPath}/${slug}`)(returnAddress)

/** Returns the address of the sign-in through one provider, which leads to the return address afterwards. */
export const providerSignInAt = (providerId: string, returnAddress: string): string =>
  withReturnAddress(`${signInPath}/start/${providerId}`)(returnAddress)

export const ownerAccessPath = '/owner-access'
/** Returns the address of the page on which an owner opens such a team with a passkey. It leads to the return address afterwards. */
export const ownerAccessAt = (slug: string, returnAddress: string): string =>
  `${withReturnAddress(ownerAccessPath)(returnAddress)}&team=${slug}`

/** The page to which the browser returns after a developer tries an app. */
export const tryAppPath = '/developers/try'

// Parts of the service that are not pages of the account site.
export const apiReferencePath = '/api/docs'
export const graphiqlPath = '/graphiql'
/** GraphiQL without the surrounding page, which contains it as a frame. */
export const graphiqlFramePath = '/graphql/graphiql'

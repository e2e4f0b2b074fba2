import { returnParameter } from '../../web/return-address.ts'
import { signInAt } from '../../web/page-paths.ts'

/** Parameters of the start page besides the provider. */
interface Start {
  returnTo: string
  loginHint?: string | null | undefined
  purpose?: 'confirm' | 'test'
}

/** Returns the address that sends the browser to a provider. */
export function startAt(key: string, { returnTo, loginHint, purpose }: Start): string {
  const query = new URLSearchParams({
    [returnParameter]: returnTo,
    ...(loginHint ? { login_hint: loginHint } : {}),
    ...(purpose && { purpose }),
  })
  return `/sign-in/start/${key}?${query}`
}

/**
 * Query parameter that makes the sign-in page ask for the password, or for another address than that in a link or in the request of a
 * client, instead of redirecting to a provider.
 */
export const stepParameter = 'with'

/** Returns the address of the sign-in page with the password form. */
export const passwordSignInAt = (returnTo: string): string => `${signInAt(returnTo)}&${stepParameter}=password`
/** Returns the address of the sign-in page that asks for the email address. */
export const addressSignInAt = (returnTo: string): string => `${signInAt(returnTo)}&${stepParameter}=address`

/** The page on which a user proves ownership of an account. */
export const linkPath = '/sign-in/link'
export const linkAt = (request: string): string => `${linkPath}?${new URLSearchParams({ request })}`

/** Query parameter with the token that shows that the user chose, on that page, to prove ownership of the account. */
export const agreementParameter = 'agreed'
export const agreedLinkAt = (request: string, agreement: string): string =>
  `${linkPath}?${new URLSearchParams({ request, [agreementParameter]: agreement })}`

import { returnParameter } from '../../web/return-address.ts'
import { signInAt } from '../../web/page-paths.ts'

/** What the start page takes besides the provider. */
interface Start {
  returnTo: string
  loginHint?: string | null | undefined
  purpose?: 'confirm' | 'test'
}

/** The address that sends the browser to a provider. */
export function startAt(key: string, { returnTo, loginHint, purpose }: Start): string {
  const query = new URLSearchParams({
    [returnParameter]: returnTo,
    ...(loginHint ? { login_hint: loginHint } : {}),
    ...(purpose && { purpose }),
  })
  return `/sign-in/start/${key}?${query}`
}

/** Tells the sign-in page to show the password, and not to lead to a provider by itself. */
export const passwordParameter = 'with'

/** The sign-in page with the password form. */
export const passwordSignInAt = (returnTo: string): string => `${signInAt(returnTo)}&${passwordParameter}=password`

/** The page on which a user proves that an account is theirs. */
export const linkPath = '/sign-in/link'
export const linkAt = (request: string): string => `${linkPath}?${new URLSearchParams({ request })}`

/** The token that shows that the user chose on that page to prove the account. */
export const agreementParameter = 'agreed'
export const agreedLinkAt = (request: string, agreement: string): string =>
  `${linkPath}?${new URLSearchParams({ request, [agreementParameter]: agreement })}`

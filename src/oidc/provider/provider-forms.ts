import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isFromOwnPage } from '../../web/csrf.ts'
import type { CsrfTokens } from '../../web/csrf.ts'
import { derivedEndpoints, endpoints } from './endpoints.ts'
import type { FormRequest, FormState, ProviderSession } from './provider-internals.ts'

// The forms of the sign-out page and the device pages, which oidc-provider handles. It stores one CSRF value and the details of one
// sign-out per session: every page replaces them, and every device form deletes them. These forms have CSRF tokens of the service and
// contain their details instead, so that each works as long as its session, in any number of tabs.

const devicePath = endpoints.code_verification.path
const signOutPath = derivedEndpoints.end_session_confirm.path

/** Address of a form, and its hidden fields. */
export interface ProviderForm {
  action: string
  hidden: Record<string, string>
}

export interface ProviderForms {
  device(ctx: KoaContextWithOIDC): ProviderForm
  signOut(ctx: KoaContextWithOIDC): ProviderForm
  /** Returns the state that oidc-provider compares with a submitted form; undefined if it is not one of these forms. */
  getState(request: FormRequest, session: ProviderSession): FormState | undefined
}

export function createProviderForms(csrfTokens: CsrfTokens): ProviderForms {
  const deviceToken = ({ uid }: ProviderSession) => csrfTokens.of('device', uid)
  const signOutToken = ({ uid }: ProviderSession, details: URLSearchParams) => csrfTokens.of('sign out', uid, details.toString())
  return {
    // The consent page shows the code again, with the app. The confirmation page of oidc-provider would be one page more.
    device: ({ oidc }) => ({ action: devicePath, hidden: { xsrf: oidc.session ? deviceToken(oidc.session) : '', confirm: 'yes' } }),
    signOut({ oidc: { client, params, session } }) {
      const details = new URLSearchParams({ page: 'sign-out' })
      const values = {
        client_id: client?.clientId,
        post_logout_redirect_uri: params?.['post_logout_redirect_uri'],
        state: params?.['state'],
      }
      for (const [name, value] of Object.entries(values)) if (typeof value === 'string') details.set(name, value)
      return { action: `${signOutPath}?${details}`, hidden: { xsrf: session ? signOutToken(session, details) : '' } }
    },
    getState({ method, path, querystring }, session) {
      if (method !== 'POST') return undefined
      if (path === devicePath) return { secret: deviceToken(session) }
      const details = new URLSearchParams(querystring)
      // Without a signed-in user, oidc-provider submits the form itself, and that form has no query.
      if (path !== signOutPath || !details.has('page')) return undefined
      const getValue = (name: string) => details.get(name) ?? undefined
      return {
        secret: signOutToken(session, details),
        clientId: getValue('client_id'),
        postLogoutRedirectUri: getValue('post_logout_redirect_uri'),
        state: getValue('state'),
      }
    },
  }
}

type FormContext = Pick<KoaContextWithOIDC, 'path' | 'method' | 'cookies' | 'headers'>

/** Returns true for a form of this kind that does not come from a page of the service. */
export const isForeignForm = ({ method, path, headers }: FormContext, authUrl: string): boolean =>
  method === 'POST' && (path === devicePath || path === signOutPath) && !isFromOwnPage(headers, authUrl)

/**
 * Returns the page to redirect to if the browser has no session: no cookie, or one that was not signed under this SECRET_KEY. oidc-provider
 * would throw a TypeError on the device pages. A user without a session who signs out has already signed out, on another page.
 */
export function pageWithoutSession({ path, method, cookies }: FormContext, provider: Provider): string | undefined {
  const isDevicePage = (path === devicePath && method === 'POST') || path.startsWith(`${devicePath}/`)
  if (!isDevicePage && path !== signOutPath) return undefined
  if (cookies.get(provider.cookieName('session'), { signed: true }) !== undefined) return undefined
  return isDevicePage ? devicePath : derivedEndpoints.end_session_success.path
}

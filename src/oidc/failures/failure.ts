import { jwtBearerGrant } from '../storage/identity.ts'
import type { Failure } from './failure-log.ts'

/** An error of oidc-provider, or one of this service in the same form. */
export interface ProviderError {
  error: string
  error_description?: string | undefined
  /** Detail for the log of the provider, which the client does not receive. */
  error_detail?: string | undefined
  /** The refused scope of `invalid_scope`. */
  scope?: string | undefined
}

/** The parameters of a request. Those of an unread form are absent. */
export type Parameters = Readonly<Record<string, unknown>>

/** Errors that are not mistakes of the client: decisions of users, and temporary failures. */
const noMistakes = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'server_error',
  'temporarily_unavailable',
])

const maxLength = 200

/** Reduces a value to printable ASCII of limited length, because clients can send anything. */
const printable = (value: unknown) => (typeof value === 'string' ? value.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, maxLength) : '')

/** Returns a redirect URI without the parts that can contain data of users: user information, query and fragment. */
function getAddress(value: unknown): string {
  const uri = typeof value === 'string' ? URL.parse(value) : null
  if (!uri) return printable(value).replace(/[?#].*$/, '')
  return printable(`${uri.protocol}${uri.host ? `//${uri.host}` : ''}${uri.pathname}`)
}

/** Returns the reason for the refusal of a request, for the developer of the client; null if the client made no mistake. */
export function findFailure(error: ProviderError, parameters: Parameters): Failure | null {
  const { error: code, error_description: description = '', error_detail: detail = '', scope } = error
  const text = `${description} ${detail}`
  const says = (words: RegExp) => words.test(text)
  const { redirect_uri: redirectUri, response_type: responseType, grant_type: grantType, code_challenge_method: method } = parameters
  if (says(/not published/)) return { cause: 'not_a_member', sent: '' }
  if (noMistakes.has(code)) return null
  if (code === 'invalid_redirect_uri' || says(/redirect_uri/)) return { cause: 'redirect_uri', sent: getAddress(redirectUri) }
  if (code === 'invalid_scope') return { cause: 'scope', sent: printable(scope ?? parameters['scope']) }
  if (code === 'unsupported_response_type' || says(/response_type/)) return { cause: 'response_type', sent: printable(responseType) }
  if (code === 'invalid_dpop_proof' || code === 'use_dpop_nonce' || says(/DPoP/i))
    return { cause: 'dpop', sent: printable(detail || description) }
  if (says(/Pushed Authorization Request must be used/)) return { cause: 'par_required', sent: '' }
  if (says(/code_verifier/)) return { cause: 'pkce', sent: 'code_verifier was absent or wrong' }
  if (says(/code_challenge_method/)) return { cause: 'pkce', sent: `code_challenge_method was ${printable(method) || 'absent'}` }
  if (says(/PKCE|code_challenge/)) return { cause: 'pkce', sent: '' }
  if (code === 'invalid_client' || says(/client_secret|client_assertion|client authentication|authorization header/i))
    return { cause: 'client_authentication', sent: printable(detail || description) }
  if (code === 'unsupported_grant_type' || code === 'unauthorized_client' || says(/grant type|is not allowed for this client/))
    return { cause: 'grant_type', sent: printable(grantType) }
  if (code === 'invalid_grant' && grantType === jwtBearerGrant) return { cause: 'assertion', sent: printable(description) }
  if (code === 'invalid_grant') return { cause: grantType === 'refresh_token' ? 'refresh_token' : 'code', sent: '' }
  return { cause: 'other', sent: printable([code, description].filter(Boolean).join(': ')) }
}

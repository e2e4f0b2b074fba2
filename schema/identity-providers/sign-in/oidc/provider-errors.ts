import * as client from 'openid-client'
import { OutgoingError } from '../../../core/outgoing/outgoing.ts'
import { ProviderError, UnusableProviderError } from '../../protocol.ts'

/** Maximum characters of a provider's value that are shown. */
const maxShown = 200
/** Formats a value that a provider sent for users. */
export const formatShown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

/** Returns the refusal of an OAuth endpoint (RFC 6749 §4.1.2.1, §5.2), as a sentence. */
export const errorInResponse = (error: string, description?: string | null): ProviderError =>
  new ProviderError(formatErrorMessage(error, description))

const formatErrorMessage = (error: string, description?: string | null) =>
  `The identity provider responded with ${formatShown(error)}${description ? `: ${formatShown(description)}` : '.'}`

/** Error codes of a token endpoint that does not accept this service as a client (RFC 6749 §5.2, and those of GitHub). */
const refusalsOfClient = ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials', 'redirect_uri_mismatch']

/** Returns the error of a token endpoint. If it does not accept this service as a client, the provider cannot be used. */
export function tokenEndpointError(error: string, description?: string | null): ProviderError {
  const code = refusalsOfClient.find((each) => each === error)
  if (code === undefined) return errorInResponse(error, description)
  return new UnusableProviderError(formatErrorMessage(error, description), { reason: `The identity provider responded with ${code}.` })
}

/** Describes why the response of an OpenID provider is refused. The content of the response can cause errors of any kind. */
export function providerError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const outage = findOutage(error)
  if (outage) return new UnusableProviderError(`The identity provider cannot be reached. ${outage.message}`, { cause: error })
  if (error instanceof client.AuthorizationResponseError) return errorInResponse(error.error, error.error_description)
  if (error instanceof client.ResponseBodyError) return tokenEndpointError(error.error, error.error_description)
  const status = statusOfError(error)
  if (status !== null) return new UnusableProviderError(`The identity provider responded with the status ${status}.`, { cause: error })
  return new ProviderError(formatMessage(error), { cause: error })
}

/** Returns the status of the response that caused an error of openid-client; null if it has another cause. */
export function statusOfError(error: unknown): number | null {
  if (error instanceof client.WWWAuthenticateChallengeError) return error.status
  if (!(error instanceof client.ClientError)) return null
  const cause = error.cause instanceof Error ? error.cause.cause : error.cause
  return error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && cause instanceof Response ? cause.status : null
}

/** Returns why a request has no response; null for an error of another kind. */
function findOutage(error: unknown): OutgoingError | null {
  if (error instanceof OutgoingError) return error
  return error instanceof client.ClientError && error.cause instanceof OutgoingError ? error.cause : null
}

function formatMessage(error: unknown): string {
  if (!(error instanceof client.ClientError)) return 'The response of the identity provider cannot be read.'
  const { code } = error
  const cause = error.cause instanceof Error ? error.cause : error
  const details: unknown = cause.cause
  const { claim, expected, claims, now } = toRecord(details)
  if (typeof claim === 'string') {
    const value = formatShown(toRecord(claims)[claim])
    if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
      return `The claim ${claim} of the ID token is ${value}, which is not accepted at ${formatShown(now)} (seconds since 1970).`
    return `The claim ${claim} of the ID token is ${value}${expected === undefined ? ', which is not accepted.' : ` instead of ${formatShown(expected)}.`}`
  }
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return 'The identity provider responded with an error status.'
  // The message of the library contains the claim or the parameter.
  return `The response of the identity provider is not valid: ${formatShown(cause.message)}.`
}

const toRecord = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {})

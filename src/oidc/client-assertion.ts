import { decodeJwt, decodeProtectedHeader } from 'jose'
import { errors } from 'oidc-provider'
import { OutgoingError } from '../../schema/core/outgoing/outgoing.ts'
import { findRefusedParameter } from '../../schema/oauth/issuers.ts'
import { assertionAlgorithms } from '../../schema/oauth/public-keys.ts'
import type { PublicKey } from '../../schema/oauth/public-keys.ts'
import type { DocumentCache } from '../../schema/core/outgoing/document-cache.ts'
import { endpoints } from './provider/endpoints.ts'
import type { Client } from './storage/stored-client.ts'

// Authentication of a client with a key (private_key_jwt, RFC 7523 §2.2). oidc-provider verifies the signature and the claims. This module
// checks the rest before keys are fetched, and the most common mistakes, for a clear error.

const maxSeconds = 3600
/**
 * Seconds by which the clock of a client may differ. oidc-provider has one number, which extends the life of the sessions and codes that it
 * stores, too. It is therefore less than that for the clocks of issuers.
 */
export const clientClockToleranceSeconds = 30

/** Returns a 401 error whose description tells the client what to change. */
export const refuseClient = (description: string) =>
  Object.assign(new errors.InvalidClientAuth(description), { error_description: description })

/** Values that a client assertion is checked against. */
export interface AssertionRequest {
  clientId: string
  assertion: string
  /** The issuer: AUTH_URL. */
  authUrl: string
  /** The path of the endpoint that received the assertion. */
  path: string
  now: Date
}

/** Checks the claims of a client assertion and returns its `kid`. Throws `invalid_client`. The signature is not verified. */
export function checkAssertion({ clientId, assertion, authUrl, path, now }: AssertionRequest): string | undefined {
  const header = parseHeader(assertion)
  const { alg, kid } = header
  const { iss, sub, aud, exp, nbf, jti } = decodeJwt<Record<string, unknown>>(assertion)
  const refuse = (rule: string) => refuseClient(`the client assertion ${rule}`)
  if (!assertionAlgorithms.some((each) => each === alg)) throw refuse(`must have one of the algorithms ${assertionAlgorithms.join(', ')}`)
  const parameter = findRefusedParameter(header)
  if (parameter !== null) throw refuse(`must not have the header parameter ${parameter}`)
  if (iss !== clientId || sub !== clientId) throw refuse('must have the client_id as iss and sub')
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud]
  const accepted = [authUrl, `${authUrl}${endpoints.token.path}`]
  // RFC 9126 §2
  if (path === endpoints.pushed_authorization_request.path) accepted.push(`${authUrl}${path}`)
  if (audiences.length === 0 || !audiences.every((each) => accepted.some((url) => url === each)))
    throw refuse('must have the issuer or the token endpoint as aud, and nothing else')
  const seconds = now.getTime() / 1000
  if (typeof exp !== 'number') throw refuse('must have exp')
  if (exp <= seconds - clientClockToleranceSeconds) throw refuse('has expired')
  if (exp > seconds + maxSeconds + clientClockToleranceSeconds) throw refuse('must expire within an hour')
  if (typeof nbf === 'number' && nbf > seconds + clientClockToleranceSeconds) throw refuse('is not valid yet (nbf)')
  if (typeof jti !== 'string' || jti === '' || jti.length > 255) throw refuse('must have a jti of 1 to 255 characters')
  return typeof kid === 'string' ? kid : undefined
}

function parseHeader(assertion: string): ReturnType<typeof decodeProtectedHeader> {
  try {
    return decodeProtectedHeader(assertion)
  } catch {
    throw refuseClient('the client assertion is not a signed JWT')
  }
}

/** Returns the keys of a client that can verify an assertion with this `kid`. Throws `invalid_client` if they cannot be read. */
export async function fetchClientKeys(
  { jwks, jwksUri }: Client,
  kid: string | undefined,
  keySets: DocumentCache<PublicKey[]>,
): Promise<PublicKey[]> {
  const isSufficient = (keys: readonly PublicKey[]) => kid === undefined || keys.some((key) => key.kid === kid)
  const keys = jwksUri === null ? (jwks?.keys ?? []) : await fetchKeys(() => keySets.get(jwksUri, { isSufficient }))
  if (!isSufficient(keys)) throw refuseClient('the client has no key with the kid of the client assertion')
  return keys
}

async function fetchKeys(fetch: () => Promise<PublicKey[]>): Promise<PublicKey[]> {
  try {
    return await fetch()
  } catch (error) {
    if (error instanceof OutgoingError) throw refuseClient(`the keys at the client's jwks_uri cannot be read. ${error.message}`)
    throw error
  }
}

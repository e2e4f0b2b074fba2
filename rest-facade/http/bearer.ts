import type { Request } from 'express'
import type { Principal } from '../../schema/core/principals.ts'
import { unauthenticated } from '../../schema/core/errors.ts'
import type { ResourceName } from './protected-resources.ts'

/** The unverified credential of a request. */
export interface Credential {
  /** Method by which the token is presented: as a bearer token (RFC 6750), or with a proof of the key to which it is bound (RFC 9449). */
  scheme: 'Bearer' | 'DPoP'
  token: string
  /** The `DPoP` header field, or null. */
  proof: string | null
  method: string
  /** The request's target as sent: path and query. */
  target: string
  /** The API that received the request. */
  resource: ResourceName
  check: CredentialCheck
}

/** `first` at the start of a request, `repeated` for later checks of a stream. A proof of a key is valid only at the start. */
export type CredentialCheck = 'first' | 'repeated'

/**
 * Returns the principal of a credential, or null if the credential is invalid. If the request's path contains a team, its slug lets one
 * statement load the credential with the access to that team.
 */
export type Authenticate = (credential: Credential, teamSlug: string | null) => Promise<Principal | null>

/** Returns the caller of a REST or GraphQL request. Throws `unauthenticated` without a valid credential. */
export async function authenticateRequest(
  request: Request,
  authenticate: Authenticate,
  resource: ResourceName,
  teamSlug: string | null,
  check: CredentialCheck = 'first',
): Promise<Principal> {
  const credential = getCredential(request, resource, check)
  const principal = credential === null ? null : await authenticate(credential, teamSlug)
  if (!principal) throw unauthenticated()
  return principal
}

/** Returns the credential in the `Authorization` header field (RFC 6750 §2.1, RFC 9449 §7.1), or null. Other places are not read. */
function getCredential(
  { headers, method, originalUrl: target }: Request,
  resource: ResourceName,
  check: CredentialCheck,
): Credential | null {
  const [, scheme, token] = authorizationPattern.exec(headers.authorization ?? '') ?? []
  if (scheme === undefined || token === undefined) return null
  // Node joins repeated fields by a comma, which a valid proof cannot contain (RFC 9449 §4.3).
  const proof = headers['dpop']?.toString() ?? null
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token, proof, method, target, resource, check }
}
const authorizationPattern = /^(Bearer|DPoP) +([A-Za-z0-9\-._~+/]+=*) *$/i

/** Returns the bearer token in the header field (RFC 6750 §2.1), or null. */
export function readBearerToken(authorization: string | undefined): string | null {
  const [, scheme, token] = authorizationPattern.exec(authorization ?? '') ?? []
  return scheme?.toLowerCase() === 'bearer' ? (token ?? null) : null
}

/** Returns true if the header field uses the bearer scheme, even with a malformed token. */
export const isBearer = (authorization: string | undefined): boolean => /^Bearer(?: |$)/i.test(authorization ?? '')

import type { Request } from 'express'
import type { Principal } from '../schema/context.ts'
import { unauthenticated } from '../schema/errors.ts'

/** What a request shows to say for whom it speaks, not judged yet. */
export interface Credential {
  /** How the token is presented: by whoever holds it (RFC 6750), or with a proof of the key it is bound to (RFC 9449). */
  scheme: 'Bearer' | 'DPoP'
  token: string
  /** The `DPoP` header field, or null. */
  proof: string | null
  method: string
  /** The request's target as sent: path and query. */
  target: string
}

/** A credential → who it stands for; null where it opens nothing. */
export type Authenticate = (credential: Credential) => Promise<Principal | null>

/** Who asks, at every door; throws `unauthenticated` for nobody. */
export async function authenticateRequest(request: Request, authenticate: Authenticate): Promise<Principal> {
  const credential = credentialOf(request)
  const principal = credential === null ? null : await authenticate(credential)
  if (!principal) throw unauthenticated()
  return principal
}

/** The credential of the `Authorization` header field (RFC 6750 §2.1, RFC 9449 §7.1), or null; other places are not read. */
function credentialOf({ headers, method, originalUrl: target }: Request): Credential | null {
  const [, scheme, token] = authorizationPattern.exec(headers.authorization ?? '') ?? []
  if (scheme === undefined || token === undefined) return null
  // Sent twice, Node joins them by a comma, which no proof has (RFC 9449 §4.3).
  const proof = headers['dpop']?.toString() ?? null
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token, proof, method, target }
}
const authorizationPattern = /^(Bearer|DPoP) +([A-Za-z0-9\-._~+/]+=*) *$/i

/** Whether the header field means to carry a bearer credential, well-formed or not. */
export const isBearer = (authorization: string | undefined): boolean => /^Bearer(?: |$)/i.test(authorization ?? '')

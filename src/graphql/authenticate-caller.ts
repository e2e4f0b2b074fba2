import type { Request, Response } from 'express'
import { authenticateRequest } from '../../rest-facade/http/bearer.ts'
import type { Authenticate, CredentialCheck } from '../../rest-facade/http/bearer.ts'
import type { Principal } from '../../schema/core/principals.ts'
import { unauthenticated } from '../../schema/core/errors.ts'

export interface AuthenticationPorts {
  authenticate: Authenticate
  /** Returns the user of the session cookie, or null. */
  authenticateSession(request: Request, response: Response): Promise<Principal | null>
  /** The origin of the service's pages. */
  authUrl: string
}

/**
 * Returns the principal of the credential in `Authorization` or, if there is none and the request comes from a script of our own pages, the
 * signed-in user (docs/decisions/graphql.md#sessions). Throws `unauthenticated` otherwise. A stream calls it again.
 */
export async function authenticateCaller(
  request: Request,
  response: Response,
  ports: AuthenticationPorts,
  check?: CredentialCheck,
): Promise<Principal> {
  const { authenticate, authenticateSession, authUrl } = ports
  if (request.headers.authorization !== undefined || !isFromOwnScript(request, authUrl))
    return authenticateRequest(request, authenticate, 'graphql', null, check)
  const principal = await authenticateSession(request, response)
  if (!principal) throw unauthenticated()
  return principal
}

/**
 * Returns true if a script of our own pages has sent the request. Browsers send cookies with requests of any page. The session therefore
 * counts only if the browser states that the origin is ours, and if the content type is one that forms cannot send and for which other
 * origins need a preflight (Fetch §4.8). Unlike our forms, GraphQL requests have no CSRF token, so a browser that sends neither `Origin`
 * nor `Sec-Fetch-Site` is refused.
 */
function isFromOwnScript(request: Request, authUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwn = site === undefined ? origin === authUrl : site === 'same-origin' && (origin === undefined || origin === authUrl)
  return isOwn && request.method === 'POST' && request.is('application/json') !== false
}

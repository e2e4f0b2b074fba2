import type { Request, Response } from 'express'
import { authenticateRequest } from '../../rest-facade/bearer.ts'
import type { Authenticate } from '../../rest-facade/bearer.ts'
import type { Principal } from '../../schema/context.ts'
import { unauthenticated } from '../../schema/errors.ts'

export interface WhoAsksPorts {
  authenticate: Authenticate
  /** The person of the request's session cookie, or null. */
  authenticateSession(request: Request, response: Response): Promise<Principal | null>
  /** The origin of our own pages. */
  authUrl: string
}

/**
 * The principal of a request: of the credential in its header field; where there is none, who is signed in in the browser,
 * if it is a script of ours that asks. Throws `unauthenticated` for nobody.
 */
export async function whoAsks(request: Request, response: Response, ports: WhoAsksPorts): Promise<Principal> {
  const { authenticate, authenticateSession, authUrl } = ports
  if (request.headers.authorization !== undefined || !isFromOwnScript(request, authUrl)) return authenticateRequest(request, authenticate)
  const principal = await authenticateSession(request, response)
  if (!principal) throw unauthenticated()
  return principal
}

/**
 * Cookies come with every request of a browser, whoever made it send that: here they count only where the browser itself
 * says that the page is ours, and only with what no form can send, which a foreign page would have to ask leave for (Fetch
 * §4.8). Unlike with our own forms nothing else decides, so one that says nothing is not believed.
 */
function isFromOwnScript(request: Request, authUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwn = site === undefined ? origin === authUrl : site === 'same-origin' && (origin === undefined || origin === authUrl)
  return isOwn && request.method === 'POST' && request.is('application/json') !== false
}

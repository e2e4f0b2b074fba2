import type { Request, RequestHandler, Response } from 'express'
import { isUnavailable } from '../../../prisma/connection/availability.ts'
import { DomainError } from '../../../schema/core/errors.ts'
import { RefusedAssertion } from '../../../schema/workload-identities/assertions/verify.ts'
import { recordClient } from '../../http/logging/current-request.ts'
import { getRequestContext } from '../request-context.ts'
import type { RequestContext } from '../request-context.ts'

/** Sends a JSON response with the header fields that oidc-provider sends to a caller that is not a page. */
export function sendDirectly(response: Response, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text)
}

const headers = {
  Vary: 'Origin',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate',
  'Cache-Control': 'no-store',
  'Content-Type': 'application/json; charset=utf-8',
}

export interface DirectPorts {
  report(error: unknown, requestId?: string): void
}

/**
 * Waits for the response of a direct handler. Returns null for an error, so that oidc-provider responds. It repeats an expected refusal and
 * finds an unavailable database itself, and reports both. Every other error is a fault of the direct handler, which only this report shows.
 */
export async function respondDirectly<Body>(response: Response, { report }: DirectPorts, body: Promise<Body | null>): Promise<Body | null> {
  try {
    return await body
  } catch (error) {
    const isExpected = error instanceof RefusedAssertion || (error instanceof DomainError && error.code === 'rate_limited')
    if (!isExpected && !isUnavailable(error)) report(error, response.locals.requestId)
    return null
  }
}

interface DirectHandler<Form> extends DirectPorts {
  /** Returns the contents of a usual request, and null for others. */
  read(request: Request): Promise<Form | null>
  /** Returns the response, or null if oidc-provider must decide. */
  respond(context: RequestContext, form: Form): Promise<object | null>
}

/** Responds to usual requests of clients, after reading their form. Passes all others on to oidc-provider. */
export const directHandler =
  <Form extends { clientId: string }>({ read, respond, report }: DirectHandler<Form>): RequestHandler =>
  async (request, response, next) => {
    const form = await read(request)
    // The client has disconnected.
    if (request.destroyed) return
    const body = form && (await respondDirectly(response, { report }, respond(getRequestContext({ res: response }), form)))
    if (!body) return next()
    recordClient(form.clientId)
    // The body is still unread, for oidc-provider.
    request.resume()
    sendDirectly(response, body)
  }

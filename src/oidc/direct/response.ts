import type { Request, RequestHandler, Response } from 'express'
import { recordClient } from '../../http/logging/current-request.ts'
import { requestOf } from '../request-context.ts'
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

interface DirectHandler<Form> {
  /** Returns what a usual request contains, and null for others. */
  read(request: Request): Promise<Form | null>
  /** Returns the response, or null if oidc-provider has to decide. */
  respond(context: RequestContext, form: Form): Promise<object | null>
}

/** Responds to usual requests of clients, whose form it reads. Passes all others on to oidc-provider. */
export const directHandler =
  <Form extends { clientId: string }>({ read, respond }: DirectHandler<Form>): RequestHandler =>
  async (request, response, next) => {
    const form = await read(request)
    // The client has disconnected.
    if (request.destroyed) return
    // What is refused here, and a failed query, fail at oidc-provider, too, which reports the error.
    const body = form && (await respond(requestOf({ res: response }), form).catch(() => null))
    if (!body) return next()
    recordClient(form.clientId)
    // The body is still unread for oidc-provider.
    request.resume()
    sendDirectly(response, body)
  }

import { randomBytes } from 'node:crypto'
import type { Request, RequestHandler } from 'express'
import type { Ports } from '../../../schema/core/context.ts'
import { observe } from '../../../schema/core/observation/observation.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { recordClient } from '../../http/logging/current-request.ts'
import { lifetimes } from '../provider/lifetimes.ts'
import { requestOf } from '../request-context.ts'
import type { RequestContext } from '../request-context.ts'
import { sendDirectly } from './response.ts'

export interface MachinePorts extends Pick<Ports, 'database' | 'now'> {
  /** Counts the request of a client or workload identity, by its internal key; throws `rate_limited`, which oidc-provider then reports. */
  countTokenRequest(machineId: string): Promise<void>
}

/** A new access token of a machine, as it is stored, and the response with its value. */
export function newMachineToken(clientId: string, scopes: readonly string[], now: Date) {
  const access_token = randomBytes(33).toString('base64url')
  const scope = scopes.join(' ')
  const seconds = lifetimes.machineToken
  const iat = Math.floor(now.getTime() / 1000)
  const token = {
    hash: sha256(access_token).toString('hex'),
    payload: { iat, exp: iat + seconds, kind: 'ClientCredentials', clientId, scope },
    expires_at: new Date(now.getTime() + seconds * 1000),
  }
  return { token, body: { access_token, expires_in: seconds, scope, token_type: 'Bearer' } }
}

/** Whether the form has no scope, or one that oidc-provider would read without a change. */
export const isUsualScope = (scope: unknown): scope is string | undefined =>
  scope === undefined || (typeof scope === 'string' && /^[\w:]+(?: [\w:]+)*$/.test(scope))

interface TokenHandler<Form> {
  grantType: string
  /** Returns what a usual request contains, and null for others. */
  read(request: Request): Promise<Form | null>
  /** Returns the response, or null if oidc-provider has to decide. */
  issue(context: RequestContext, form: Form): Promise<object | null>
}

/** Responds to usual requests of machines for a token. Passes all others on to oidc-provider. */
export const tokenHandler =
  <Form extends { clientId: string }>({ grantType, read, issue }: TokenHandler<Form>): RequestHandler =>
  async (request, response, next) => {
    const form = await read(request)
    // The client has disconnected.
    if (request.destroyed) return
    // What is refused here, and a failed query, fail at oidc-provider, too, which reports the error.
    const body = form && (await issue(requestOf({ res: response }), form).catch(() => null))
    if (!body) return next()
    recordClient(form.clientId)
    observe('tokenIssued', { grantType })
    // The body is still unread for oidc-provider.
    request.resume()
    sendDirectly(response, body)
  }

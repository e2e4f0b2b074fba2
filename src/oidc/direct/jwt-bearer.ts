import type { Request, RequestHandler } from 'express'
import type { Ports } from '../../../schema/core/context.ts'
import { observe } from '../../../schema/core/observation/observation.ts'
import { recordClient } from '../../http/logging/current-request.ts'
import { queryUnlessUnavailable, requestOf } from '../request-context.ts'
import type { RequestContext } from '../request-context.ts'
import { findIdentity, jwtBearerGrant } from '../storage/identity.ts'
import type { AssertionCheck } from '../token/assertion-check.ts'
import { identityScopes } from '../token/jwt-bearer.ts'
import { issueMachineToken } from '../token/machine-token.ts'
import { isUnusual } from './basic-request.ts'
import { peekForm } from './form.ts'
import { newMachineToken } from './machine-token.ts'
import { sendDirectly } from './response.ts'

interface AssertionForm {
  clientId: string
  assertion: string
  scope: string | undefined
}

/**
 * Responds to the usual request by JWT bearer: a workload identity with an ID token that is accepted, and perhaps a scope. Passes all other
 * requests on to oidc-provider, also those that are refused (docs/decisions/oauth.md#direct-responses).
 */
export function createJwtBearer({
  database,
  now,
  assertions,
}: Pick<Ports, 'database' | 'now'> & { assertions: AssertionCheck }): RequestHandler {
  async function issue(context: RequestContext, { clientId, assertion, scope: requested }: AssertionForm): Promise<object | null> {
    const identity = await queryUnlessUnavailable(context, () => findIdentity(database.pool, clientId))
    if (!identity) return null
    const { scopes, refused } = identityScopes(identity, requested)
    if (refused !== undefined) return null
    const verified = await assertions.verify(assertion, identity)
    if (!(await queryUnlessUnavailable(context, () => assertions.useOnce(identity, verified)))) return null
    const { token, body } = newMachineToken(clientId, scopes, now())
    return queryUnlessUnavailable(context, () => issueMachineToken(token, identity, body, database))
  }

  return async (request, response, next) => {
    const usual = await usualRequest(request)
    // The client has disconnected.
    if (request.destroyed) return
    // An assertion that is refused, and a failed query, fail at oidc-provider, too, which reports the error.
    const body = usual && (await issue(requestOf({ res: response }), usual).catch(() => null))
    if (!body) return next()
    recordClient(usual.clientId)
    observe('tokenIssued', { grantType: jwtBearerGrant })
    // The body is still unread for oidc-provider.
    request.resume()
    sendDirectly(response, body)
  }
}

/** The contents of a request without client authentication that consists of the identity, an assertion and perhaps a scope; null for others. */
async function usualRequest(request: Request): Promise<AssertionForm | null> {
  if (isUnusual(request) || request.headers.authorization !== undefined) return null
  const { grant_type: grantType, client_id: clientId, assertion, scope, ...others } = (await peekForm(request)) ?? {}
  if (grantType !== jwtBearerGrant || typeof clientId !== 'string' || typeof assertion !== 'string') return null
  const isUsual = scope === undefined || (typeof scope === 'string' && /^[\w:]+(?: [\w:]+)*$/.test(scope))
  return isUsual && Object.keys(others).length === 0 ? { clientId, assertion, scope } : null
}

import type { Request, RequestHandler } from 'express'
import { queryUnlessUnavailable } from '../request-context.ts'
import type { RequestContext } from '../request-context.ts'
import { findIdentity, jwtBearerGrant } from '../storage/identity.ts'
import type { AssertionCheck } from '../token/assertion-check.ts'
import { chooseMachineScopes } from '../token/machine-token.ts'
import { isUnusual, peekForm } from './basic-request.ts'
import { issueToken, isUsualScope } from './direct-machine-token.ts'
import type { MachinePorts } from './direct-machine-token.ts'
import { directHandler } from './response.ts'

interface AssertionForm {
  clientId: string
  assertion: string
  scope: string | undefined
}

/**
 * Responds to the usual request by JWT bearer: a workload identity with an accepted ID token, and optionally a scope. Passes all other
 * requests on to oidc-provider, including those that are refused (docs/decisions/oauth.md#direct-responses).
 */
export function createJwtBearer(ports: MachinePorts & { assertions: AssertionCheck }): RequestHandler {
  const { database, countTokenRequest, assertions, report } = ports
  async function issue(context: RequestContext, { clientId, assertion, scope: requested }: AssertionForm): Promise<object | null> {
    const identity = await queryUnlessUnavailable(context, () => findIdentity(database.pool, clientId))
    if (!identity) return null
    const { scopes, refused } = chooseMachineScopes(identity.scopes, requested)
    if (refused || scopes.length === 0) return null
    const verified = await assertions.verify(assertion, identity)
    await countTokenRequest(identity.id)
    if (!(await queryUnlessUnavailable(context, () => assertions.useOnce(identity, verified)))) return null
    return issueToken(context, { grantType: jwtBearerGrant, clientId, scopes, identity }, ports)
  }

  return directHandler({ read: usualRequest, respond: issue, report })
}

/** Returns the contents of a request without client authentication: the identity, an assertion and an optional scope. Null for others. */
async function usualRequest(request: Request): Promise<AssertionForm | null> {
  if (isUnusual(request) || request.headers.authorization !== undefined) return null
  const { grant_type: grantType, client_id: clientId, assertion, scope, ...others } = (await peekForm(request)) ?? {}
  if (grantType !== jwtBearerGrant || typeof clientId !== 'string' || typeof assertion !== 'string') return null
  return isUsualScope(scope) && Object.keys(others).length === 0 ? { clientId, assertion, scope } : null
}

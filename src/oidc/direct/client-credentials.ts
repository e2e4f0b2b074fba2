// End to end, a token takes a third of the processor time that it takes through oidc-provider.

import type { Request, RequestHandler } from 'express'
import { queryUnlessUnavailable } from '../request-context.ts'
import type { RequestContext } from '../request-context.ts'
import { findClient } from '../storage/stored-client.ts'
import { verifySecret } from '../storage/client-adapter.ts'
import { chooseMachineScopes, listRegisteredScopes } from '../token/machine-token.ts'
import { basicRequest } from './basic-request.ts'
import type { BasicCredentials } from './basic-request.ts'
import { issueToken, isUsualScope } from './direct-machine-token.ts'
import type { MachinePorts } from './direct-machine-token.ts'
import { directHandler } from './response.ts'

interface TokenForm extends BasicCredentials {
  scope: string | undefined
}

/**
 * Responds to the usual request for a token by client credentials: a client of a team with its secret, and optionally a scope. Passes all
 * other requests on to oidc-provider, including those that are refused (docs/decisions/oauth.md#direct-responses).
 */
export function createClientCredentials(ports: MachinePorts): RequestHandler {
  const { database, now, countTokenRequest, report } = ports
  async function issue(context: RequestContext, { clientId, secret, scope: requested }: TokenForm): Promise<object | null> {
    const client = await queryUnlessUnavailable(context, () => findClient(database.pool, clientId, now()))
    if (!client || client.requireKeyAuthentication || client.dpopBoundAccessTokens || !client.grantTypes.includes('client_credentials'))
      return null
    if (!client.confidential || !verifySecret(client.secretHashes, secret)) return null
    const { scopes, refused } = chooseMachineScopes(listRegisteredScopes(client), requested)
    if (refused || scopes.length === 0) return null
    await countTokenRequest(client.id)
    return issueToken(context, { grantType: 'client_credentials', clientId, scopes, identity: null }, ports)
  }

  return directHandler({ read: usualRequest, respond: issue, report })
}

/** Returns the contents of a request that consists of HTTP Basic authentication, the grant and maybe a scope; null for other requests. */
async function usualRequest(request: Request): Promise<TokenForm | null> {
  const { client, form } = (await basicRequest(request)) ?? {}
  const { grant_type: grantType, scope, ...others } = form ?? {}
  const isUsual = grantType === 'client_credentials' && Object.keys(others).length === 0
  if (!client || !isUsual || !isUsualScope(scope)) return null
  return { ...client, scope }
}

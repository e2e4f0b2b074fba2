// End to end, this serves 2.3 times as many requests per second as oidc-provider, for half of the processor time.

import type { Request, RequestHandler } from 'express'
import type { Ports } from '../../../schema/core/ports.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { isAccessToken } from '../../auth/oauth-credential.ts'
import { currentScopeAndTeam, mayIntrospect } from '../provider/introspection.ts'
import { secondsAhead } from '../process-clock.ts'
import { queryUnlessUnavailable } from '../request-context.ts'
import type { RequestContext } from '../request-context.ts'
import { findClient } from '../storage/stored-client.ts'
import { verifySecret } from '../storage/client-adapter.ts'
import { liveAccessToken } from './access-token.ts'
import { basicRequest } from './basic-request.ts'
import type { BasicCredentials } from './basic-request.ts'
import { directHandler } from './response.ts'
import type { DirectPorts } from './response.ts'

interface IntrospectionPorts extends DirectPorts, Pick<Ports, 'database' | 'now' | 'providerSignInDays'> {
  authUrl: string
}

interface IntrospectionRequest extends BasicCredentials {
  token: string
}

/**
 * Responds to the usual introspection request: a confidential client with its secret, and an active access token of its own.
 * Passes all other requests on to oidc-provider (docs/decisions/oauth.md#direct-responses).
 */
export function createIntrospection({ authUrl, database, report, ...clock }: IntrospectionPorts): RequestHandler {
  const { now } = clock
  async function introspect(context: RequestContext, { clientId, secret, token }: IntrospectionRequest): Promise<object | null> {
    const key = { hash: sha256(token), kind: 'AccessToken' }
    const client = await queryUnlessUnavailable(context, () => findClient(database.pool, clientId, now(), key))
    if (!client || client.requireKeyAuthentication || !verifySecret(client.secretHashes, secret)) return null
    const accessToken = client.model && liveAccessToken(client.model, now())
    if (!accessToken || !mayIntrospect({ isConfidential: client.confidential, clientId }, accessToken.payload)) return null
    const { accountId: sub, exp, iat, sid, aud, jkt, scope: tokenScope } = accessToken.payload
    const { scope, team } = currentScopeAndTeam(accessToken.grant, tokenScope, clock)
    // The times are those of the process, as in the responses of oidc-provider.
    const ahead = secondsAhead(now)
    return {
      active: true,
      sub,
      client_id: clientId,
      exp: exp - ahead,
      iat: iat - ahead,
      sid,
      iss: authUrl,
      aud,
      scope,
      cnf: jkt && { jkt },
      token_type: jkt ? 'DPoP' : 'Bearer',
      team,
    }
  }

  return directHandler({ read: usualRequest, respond: introspect, report })
}

/** Returns the contents of a request that consists of HTTP Basic authentication, a token and an optional hint; null for other requests. */
async function usualRequest(request: Request): Promise<IntrospectionRequest | null> {
  const { client, form } = (await basicRequest(request)) ?? {}
  const { token, token_type_hint: hint, ...others } = form ?? {}
  const isUsual = typeof token === 'string' && isAccessToken(token) && !Array.isArray(hint) && Object.keys(others).length === 0
  return client && isUsual ? { ...client, token } : null
}

import { errors } from 'oidc-provider'
import type { ResourceServer } from 'oidc-provider'
import { resourceIdentifiers } from '../../../rest-facade/http/protected-resources.ts'
import { oauthScopes } from '../../../schema/core/scopes.ts'

/** Resource indicators (RFC 8707): a token for one of the APIs (docs/decisions/resource-servers.md#resource-indicators). */
export function resourceIndicators(authUrl: string) {
  const identifiers = resourceIdentifiers(authUrl)
  return {
    enabled: true,
    // A token request without `resource` gets a token for the authorized resources, even with the scope `openid`.
    useGrantedResource: () => true,
    getResourceServerInfo(_: unknown, identifier: string): ResourceServer {
      if (!identifiers.includes(identifier)) throw new errors.InvalidTarget(`the resources are ${identifiers.join(', ')}`)
      // A resource does not limit scopes: each API has all of them, and UserInfo accepts the token.
      return { scope: oauthScopes.join(' '), audience: identifier, accessTokenFormat: 'opaque' }
    },
  }
}

import { buildRedirectUri } from '../addresses.ts'
import type { Protocol, ProtocolPorts, ProtocolRequest, ProviderAssertion } from '../protocol.ts'
import type { SignInProvider } from './sign-in-provider.ts'
import { buildGoogleProvider, buildMicrosoftProvider, withTenant } from './social/social-protocols.ts'

/** The protocol of one provider. */
interface BoundProtocol {
  requestUrl(request: ProtocolRequest): Promise<string>
  verify(request: ProtocolRequest, response: URLSearchParams): Promise<ProviderAssertion>
}

/**
 * Selects the protocol of a provider. No other code refers to all protocols. Their libraries take 25 MB and a quarter of a second, so they
 * are loaded with the first sign-in (docs/decisions/memory.md#starts).
 */
export async function bindProtocol(ports: ProtocolPorts, { key, team, social }: SignInProvider): Promise<BoundProtocol> {
  const redirectUri = buildRedirectUri(ports, key)
  const bind = <Provider>(protocol: Protocol<Provider>, provider: Provider): BoundProtocol => ({
    requestUrl: async (request) => protocol.requestUrl(ports, provider, request),
    verify: async (request, response) => protocol.verify(ports, provider, request, response),
  })
  if (team?.kind === 'saml') return bind((await import('../saml/saml.ts')).saml, team)
  if (key === 'github') return bind((await import('./social/github.ts')).github, { ...social, redirectUri })
  const { oidc } = await import('./oidc/oidc.ts')
  if (team) return bind(oidc, { ...team, clientId: team.clientId ?? '', redirectUri })
  if (key === 'google') return bind(oidc, buildGoogleProvider(social, redirectUri))
  const microsoft = bind(oidc, buildMicrosoftProvider(social, redirectUri))
  return { ...microsoft, verify: async (...parameters) => withTenant(await microsoft.verify(...parameters)) }
}

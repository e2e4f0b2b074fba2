import { saml } from '../saml/saml.ts'
import type { Protocol, ProtocolPorts, ProtocolRequest, ProviderAssertion } from '../protocol.ts'
import { oidc } from './oidc/oidc.ts'
import { callbackPath } from './provider.ts'
import type { SignInProvider } from './provider.ts'
import { github } from './social/github.ts'
import { googleOf, microsoftOf, withMicrosoftAddress } from './social/protocols.ts'

/** The protocol of one provider. */
interface BoundProtocol {
  requestUrl(request: ProtocolRequest): Promise<string>
  verify(request: ProtocolRequest, answer: URLSearchParams): Promise<ProviderAssertion>
}

/** Selects the protocol of a provider: the only place that knows them all. */
export function protocolOf(ports: ProtocolPorts, { key, team, social }: SignInProvider): BoundProtocol {
  const redirectUri = `${ports.authUrl}${callbackPath(key)}`
  const bind = <Provider>(protocol: Protocol<Provider>, provider: Provider): BoundProtocol => ({
    requestUrl: async (request) => protocol.requestUrl(ports, provider, request),
    verify: async (request, answer) => protocol.verify(ports, provider, request, answer),
  })
  if (team) {
    if (team.kind === 'saml') return bind(saml, team)
    return bind(oidc, { ...team, clientId: team.clientId ?? '', redirectUri })
  }
  if (key === 'google') return bind(oidc, googleOf(social, redirectUri))
  if (key === 'github') return bind(github, { ...social, redirectUri })
  const microsoft = bind(oidc, microsoftOf(social, redirectUri))
  return { ...microsoft, verify: async (...parameters) => withMicrosoftAddress(await microsoft.verify(...parameters)) }
}

import { hash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { Provider } from 'oidc-provider'
import type { KoaContextWithOIDC, TokenEndpointGrantContext } from 'oidc-provider'
import { currentContext } from './provider-internals.ts'

// Undocumented parts of oidc-provider that concern tokens, in the manner of provider-internals.ts.

/**
 * Returns the machine's access token that an introspection request has found, or undefined. `ClientCredentials` is the name of the model.
 * If it changes, the response has the scope of the time when the token was issued, and no team.
 */
export const getMachineToken = ({ oidc }: Partial<Pick<KoaContextWithOIDC, 'oidc'>>): string | undefined =>
  oidc?.entities.ClientCredentials?.jti

/**
 * Returns true if a `ReplayDetection` with this identifier is for the client assertion of the current request, and not for its DPoP proof.
 * The provider derives it from the issuer and `jti`. If it changes, an assertion that is sent again is refused as a DPoP proof.
 */
export function isOfAssertion(replayDetectionId: string): boolean {
  const assertion = currentContext()?.oidc.params?.['client_assertion']
  if (typeof assertion !== 'string') return false
  const { iss, jti } = decodeJwt(assertion)
  return hash('sha256', `${iss}${jti}`, 'base64url') === replayDetectionId
}

/**
 * A provider that exposes its own handler of the client credentials grant. Another grant that issues tokens to machines calls it, and so
 * has the same scopes, resources (RFC 8707) and proofs (RFC 9449). The constructor of the provider registers its grants by the public
 * method that is overridden here. If it no longer does, `issueMachineToken` is undefined and the other grant fails.
 */
export class MachineProvider extends Provider {
  // The field is only declared, because an initialized field would be reset after the provider's constructor has set it.
  declare issueMachineToken: (ctx: KoaContextWithOIDC) => Promise<void>

  override registerGrantType<Params extends object>(
    name: string,
    handler: (ctx: TokenEndpointGrantContext<Params>) => void | Promise<void>,
    parameters?: Parameters<Provider['registerGrantType']>[2],
    duplicates?: Parameters<Provider['registerGrantType']>[3],
  ): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of contexts differ in parameters, which it validates itself
    if (name === 'client_credentials') this.issueMachineToken = handler as MachineProvider['issueMachineToken']
    super.registerGrantType(name, handler, parameters, duplicates)
  }
}

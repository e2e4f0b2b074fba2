import { Provider } from 'oidc-provider'
import type { KoaContextWithOIDC, TokenEndpointGrantContext } from 'oidc-provider'

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

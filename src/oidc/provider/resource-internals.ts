import type { Provider } from 'oidc-provider'

/**
 * Lets a token request name a resource if the authorization named none, which covers all resources. By default, it has to name one of
 * those that were authorized. Replaces a getter of tokens, which the provider reads for that. If it reads something else, such a
 * token request is `invalid_target`.
 */
export function allowAllResources({ BaseToken }: Provider, identifiers: readonly string[]): void {
  Object.defineProperty(BaseToken.prototype, 'resourceIndicators', {
    get(this: { resource?: string | string[] }) {
      return new Set(this.resource === undefined ? identifiers : [this.resource].flat())
    },
  })
}

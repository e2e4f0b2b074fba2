import type { Provider } from 'oidc-provider'

/**
 * Lets a token request specify a resource if the authorization specified none and so covers all resources. By default, the request must
 * specify one that was authorized. This replaces a getter of tokens that the provider reads. If it reads something else, such a token
 * request is `invalid_target`.
 */
export function allowAllResources({ BaseToken }: Provider, identifiers: readonly string[]): void {
  Object.defineProperty(BaseToken.prototype, 'resourceIndicators', {
    get(this: { resource?: string | string[] }) {
      return new Set(this.resource === undefined ? identifiers : [this.resource].flat())
    },
  })
}

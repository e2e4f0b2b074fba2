import { oauthScopes } from '../../schema/core/scopes.ts'

/** The APIs that accept access tokens: resource servers in the terms of RFC 8707 and RFC 9728. */
const resources = {
  api: { path: '/api', label: 'REST API' },
  graphql: { path: '/graphql', label: 'GraphQL API' },
  mcp: { path: '/mcp', label: 'MCP server' },
} as const

export type ResourceName = keyof typeof resources

// RFC 9728 §3: the path of the resource follows the well-known name.
const getMetadataPath = (name: ResourceName) => `/.well-known/oauth-protected-resource${resources[name].path}`

/** Returns the identifier of a resource, which clients send as `resource` (RFC 8707 §2) and tokens contain as `aud`. */
export const resourceIdentifier = (publicUrl: string, name: ResourceName): string => publicUrl + resources[name].path

/** Returns the URL of the document about a resource, which its challenges contain (RFC 9728 §5.1). */
export const resourceMetadataUrl = (publicUrl: string, name: ResourceName): string => publicUrl + getMetadataPath(name)

/** Returns the identifiers of all resources. */
export const resourceIdentifiers = (publicUrl: string): string[] => resourceNames.map((name) => resourceIdentifier(publicUrl, name))

const resourceNames = Object.keys(resources).filter((name): name is ResourceName => Object.hasOwn(resources, name))

/** Returns the metadata documents by path (RFC 9728 §2). */
export const resourceMetadata = (publicUrl: string, dpopAlgorithms: readonly string[]) =>
  resourceNames.map((name) => ({
    path: getMetadataPath(name),
    document: {
      resource: resourceIdentifier(publicUrl, name),
      resource_name: `Team Account Service ${resources[name].label}`,
      resource_documentation: `${publicUrl}/api/docs`,
      authorization_servers: [publicUrl],
      // The omitted scopes are for the authorization server itself: an ID token and a refresh token.
      scopes_supported: oauthScopes.filter((scope) => scope !== 'openid' && scope !== 'offline_access'),
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: dpopAlgorithms,
    },
  }))

/** The parameter of a challenge that names the document of the interface (RFC 9728 §5.1). */
export const resourceMetadataOf = (url: string, name: 'api' | 'graphql' | 'mcp' = 'api') =>
  `resource_metadata="${url}/.well-known/oauth-protected-resource/${name}"`

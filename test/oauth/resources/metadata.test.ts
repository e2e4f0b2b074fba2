import { checkResourceAllowed, discoverOAuthServerInfo, extractWWWAuthenticateParams } from '@modelcontextprotocol/client'
import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { oauthScopes } from '../../../schema/core/scopes.ts'
import { createOwnedTeam, personalToken } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const insecure = { [oauth.allowInsecureRequests]: true } as const
const interfaces = ['api', 'graphql', 'mcp'] as const
const pathOf = { api: '/api/v1/teams', graphql: '/graphql', mcp: '/mcp/readonly' }
const labels = { api: 'REST API', graphql: 'GraphQL API', mcp: 'MCP server' }
// A client that connects an agent knows no scopes of this service, so the challenge contains those of the tools that only read.
const readScopes =
  'teams acct:team:apps:read acct:team:invoices:read acct:team:members:read acct:team:tokens:read acct:team:events:read acct:team:webhooks:read flow:rules:read'
const documentPath = (name: string) => `/.well-known/oauth-protected-resource/${name}`

describe.each(interfaces)('the metadata of the resource %s', (name) => {
  test('leads oauth4webapi to the authorization server', async () => {
    const resource = new URL(`${service.url}/${name}`)
    const metadata = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, insecure))
    expect(metadata).toEqual({
      resource: resource.href,
      resource_name: `Team Account Service ${labels[name]}`,
      resource_documentation: `${service.url}/api/docs`,
      authorization_servers: [service.url],
      scopes_supported: oauthScopes.filter((scope) => !['openid', 'offline_access'].includes(scope)),
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'PS256', 'RS256'],
    })
    const issuer = new URL(metadata.authorization_servers?.[0] ?? '')
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }))
    expect(server.issuer).toBe(service.url)
    expect(server['protected_resources']).toEqual(interfaces.map((each) => `${service.url}/${each}`))
  })

  test('is named by the challenge of a request without a credential, from which the MCP client finds the authorization server', async () => {
    const url = service.url + pathOf[name]
    const refused = await fetch(url, { method: name === 'api' ? 'GET' : 'POST' })
    expect(refused.status).toBe(401)
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(refused)
    expect(resourceMetadataUrl?.href).toBe(service.url + documentPath(name))
    const found = await discoverOAuthServerInfo(url, { ...(resourceMetadataUrl && { resourceMetadataUrl }) })
    expect(found.authorizationServerUrl).toBe(service.url)
    expect(found.authorizationServerMetadata?.token_endpoint).toBe(`${service.url}/api/oauth/token`)
    const configuredResource = found.resourceMetadata?.resource ?? ''
    expect(checkResourceAllowed({ requestedResource: url, configuredResource })).toBe(true)
  })

  test('can be read by pages of any origin, with header fields of their own, and by GET and HEAD alone', async () => {
    const url = service.url + documentPath(name)
    const headers = { origin: 'https://app.example' }
    const response = await fetch(url, { headers })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const preflight = { ...headers, 'access-control-request-method': 'GET', 'access-control-request-headers': 'mcp-protocol-version' }
    const allowed = await fetch(url, { method: 'OPTIONS', headers: preflight })
    expect([allowed.status, allowed.headers.get('access-control-allow-headers')]).toEqual([204, '*'])
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    const refused = await fetch(url, { method: 'POST' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

test.each(['', '/', '/api/', '/api/v1', '/unknown'])('there is no document at oauth-protected-resource%s', async (suffix) => {
  expect((await fetch(`${service.url}/.well-known/oauth-protected-resource${suffix}`)).status).toBe(404)
})

describe.each(interfaces)('a challenge of %s names the metadata', (name) => {
  const scope = name === 'mcp' ? `scope="${readScopes}", ` : ''
  const parameter = `resource_metadata="${service.url}${documentPath(name)}"`
  const send = async (headers: Record<string, string>) => {
    const { status, headers: fields } = await fetch(service.url + pathOf[name], { method: name === 'api' ? 'GET' : 'POST', headers })
    return [status, fields.get('www-authenticate')] as const
  }

  test.each([
    ['without a credential', {}, `Bearer realm="${service.url}", ${scope}${parameter}`],
    ['for an unknown token', { Authorization: 'Bearer x' }, `Bearer realm="${service.url}", error="invalid_token", ${scope}${parameter}`],
    [
      'for an unknown token with the scheme DPoP',
      { Authorization: `DPoP ${'x'.repeat(43)}` },
      `DPoP error="invalid_token", algs="ES256 ES384 Ed25519 EdDSA PS256 RS256", ${parameter}, Bearer realm="${service.url}", ${scope}${parameter}`,
    ],
  ])('%s', async (_, headers, challenge) => {
    expect(await send(headers)).toEqual([401, challenge])
  })
})

test('a 403 for a missing scope names the metadata', async () => {
  const { owner } = await createOwnedTeam(service.database)
  const token = await personalToken(service.database, owner, { scopes: ['acct:team:apps:read'] })
  const { status, headers } = await fetch(`${service.url}/api/v1/teams`, { headers: { Authorization: `Bearer ${token}` } })
  expect([status, headers.get('www-authenticate')]).toEqual([
    403,
    `Bearer error="insufficient_scope", scope="teams acct:team:read", resource_metadata="${service.url}${documentPath('api')}"`,
  ])
})

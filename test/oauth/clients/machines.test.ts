import { auth, ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/client'
import * as oauth from 'oauth4webapi'
import * as oidc from 'openid-client'
import { ClientCredentials } from 'simple-oauth2'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Team } from '../../../prisma/generated/client/client.ts'
import { createTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { createTeamClient } from '../../support/oauth/clients/machines.ts'
import type { ClientOptions } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// Services that act for their own team, with the client libraries that they use.

const service = useService()
const { database } = service
let team: Team
beforeAll(async () => {
  team = await createTeam(database)
})

/** Registers a client with a key that WebCrypto holds. */
async function createKeyClient(alg: 'ES256' | 'PS256' | 'EdDSA', options: ClientOptions = {}) {
  const { privateKey, publicKey } = await oauth.generateKeyPair(alg === 'EdDSA' ? 'Ed25519' : alg, { extractable: true })
  const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'key-1', use: 'sig', alg }
  // WebCrypto names this algorithm `Ed25519`; RFC 8037 names it EdDSA.
  const client = await createTeamClient(database, team, {
    jwks: { keys: [{ ...jwk, key_ops: undefined }] },
    requireKeyAuthentication: true,
    ...options,
  })
  return {
    client,
    key: { key: privateKey, kid: 'key-1' },
    privateJwk: { ...(await crypto.subtle.exportKey('jwk', privateKey)), kid: 'key-1' },
  }
}

const slugOf = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).body.team

describe('openid-client', () => {
  const discover = (clientId: string, authentication: oidc.ClientAuth) =>
    oidc.discovery(new URL(service.url), clientId, undefined, authentication, { execute: [oidc.allowInsecureRequests] })

  test('gets a token with a secret, introspects and revokes it', async () => {
    const client = await createTeamClient(database, team)
    const configuration = await discover(client.clientId, oidc.ClientSecretBasic(client.secret ?? ''))
    const tokens = await oidc.clientCredentialsGrant(configuration, { scope: 'acct:team:read teams' })
    expect([tokens.expires_in, tokens.refresh_token, await slugOf(tokens.access_token)]).toEqual([900, undefined, team.slug])
    expect(await oidc.tokenIntrospection(configuration, tokens.access_token)).toMatchObject({ active: true, team: team.slug })
    await oidc.tokenRevocation(configuration, tokens.access_token)
    expect(await slugOf(tokens.access_token)).toBeUndefined()
  })

  test.each(['ES256', 'PS256'] as const)('gets a token with a key, introspects and revokes it (%s)', async (alg) => {
    const { client, key } = await createKeyClient(alg)
    const configuration = await discover(client.clientId, oidc.PrivateKeyJwt(key))
    const tokens = await oidc.clientCredentialsGrant(configuration)
    expect(await slugOf(tokens.access_token)).toBe(team.slug)
    expect(await oidc.tokenIntrospection(configuration, tokens.access_token)).toMatchObject({ active: true })
    await oidc.tokenRevocation(configuration, tokens.access_token)
    expect(await slugOf(tokens.access_token)).toBeUndefined()
  })

  test('gets a token that is bound to a key with DPoP', async () => {
    const { client, key } = await createKeyClient('ES256', { dpopBoundAccessTokens: true })
    const configuration = await discover(client.clientId, oidc.PrivateKeyJwt(key))
    const DPoP = oidc.getDPoPHandle(configuration, await oidc.randomDPoPKeyPair())
    const tokens = await oidc.clientCredentialsGrant(configuration, {}, { DPoP })
    expect(tokens.token_type).toBe('dpop')
    const url = new URL('/api/v1/user', service.url)
    const response = await oidc.fetchProtectedResource(configuration, tokens.access_token, url, 'GET', null, undefined, { DPoP })
    expect(await response.json()).toMatchObject({ kind: 'client', team: team.slug })
  })

  test('reads the reason of a refusal', async () => {
    const client = await createTeamClient(database, team)
    const configuration = await discover(client.clientId, oidc.ClientSecretBasic(client.secret ?? ''))
    const refused = oidc.clientCredentialsGrant(configuration, { scope: 'openid' })
    await expect(refused).rejects.toMatchObject({
      error: 'invalid_scope',
      error_description: 'no scope is requested that a client can have for itself',
    })
  })
})

describe('oauth4webapi', () => {
  const httpOptions = { [oauth.allowInsecureRequests]: true } as const

  test.each(['secret', 'ES256', 'PS256'] as const)('gets a token with client credentials (%s)', async (method) => {
    const issuer = new URL(service.url)
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...httpOptions }),
    )
    const prepare = async () => {
      if (method !== 'secret') {
        const { client, key } = await createKeyClient(method)
        return { client, authentication: oauth.PrivateKeyJwt(key) }
      }
      const client = await createTeamClient(database, team)
      return { client, authentication: oauth.ClientSecretBasic(client.secret ?? '') }
    }
    const { client: registered, authentication } = await prepare()
    const client: oauth.Client = { client_id: registered.clientId }
    const parameters = new URLSearchParams({ scope: 'acct:team:read' })
    const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, httpOptions)
    const tokens = await oauth.processClientCredentialsResponse(server, client, response)
    expect([tokens.scope, await slugOf(tokens.access_token)]).toEqual(['acct:team:read', team.slug])
  })
})

describe('simple-oauth2', () => {
  test('gets a token with client credentials', async () => {
    const registered = await createTeamClient(database, team)
    const client = new ClientCredentials({
      client: { id: registered.clientId, secret: registered.secret ?? '' },
      auth: { tokenHost: service.url, tokenPath: '/api/oauth/token' },
    })
    const { token } = await client.getToken({ scope: ['teams', 'acct:team:read'] })
    expect([token['scope'], await slugOf(String(token['access_token']))]).toEqual(['teams acct:team:read', team.slug])
  })
})

describe('the MCP SDK, which finds the authorization server by the metadata of the API', () => {
  const resource = () => `${service.url}/graphql`
  const teamOf = async (token: string) => (await graphql(service, token, '{ viewer { kind teamSlug } }')).data?.viewer

  test('gets a token for the API with a secret', async () => {
    const client = await createTeamClient(database, team)
    const provider = new ClientCredentialsProvider({
      clientId: client.clientId,
      clientSecret: client.secret ?? '',
      expectedIssuer: service.url,
      scope: 'teams',
    })
    expect(await auth(provider, { serverUrl: resource() })).toBe('AUTHORIZED')
    expect(await teamOf(provider.tokens()?.access_token ?? '')).toEqual({ kind: 'CLIENT', teamSlug: team.slug })
    // The token is for the resource that the SDK named.
    expect((await request(service, 'GET', '/api/v1/user', { token: provider.tokens()?.access_token ?? '' })).status).toBe(401)
  })

  test('gets a token for the API with a key', async () => {
    const { client, privateJwk } = await createKeyClient('ES256')
    const provider = new PrivateKeyJwtProvider({
      clientId: client.clientId,
      privateKey: { ...privateJwk },
      algorithm: 'ES256',
      expectedIssuer: service.url,
      scope: 'teams acct:team:read',
    })
    expect(await auth(provider, { serverUrl: resource() })).toBe('AUTHORIZED')
    expect(await teamOf(provider.tokens()?.access_token ?? '')).toEqual({ kind: 'CLIENT', teamSlug: team.slug })
  })
})

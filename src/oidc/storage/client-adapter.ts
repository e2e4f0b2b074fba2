import { timingSafeEqual } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { errors } from 'oidc-provider'
import type { Adapter, ClientMetadata } from 'oidc-provider'
import type { ClientSource, ClientState } from '../../../prisma/generated/client/enums.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { findRefusedParameter } from '../../../schema/oauth/issuers.ts'
import type { PublicKey } from '../../../schema/oauth/public-keys.ts'
import { authenticatedPaths, endpoints } from '../provider/endpoints.ts'
import { currentContext } from '../provider/provider-internals.ts'
import { checkAssertion, fetchClientKeys, refuseClient } from '../client-assertion.ts'
import { requestInProgress } from '../request-context.ts'
import { chooseMachineScopes, listRegisteredScopes } from '../token/machine-token.ts'
import { findClient, readOptionalMetadata } from './stored-client.ts'
import type { Client } from './stored-client.ts'
import { findIdentity, identityMetadata, jwtBearerGrant } from './identity.ts'
import type { AdapterPorts } from './model-adapter.ts'
import { isTriedExchange, listRedirectUris, buildTryUri } from './try-app.ts'

/** Client metadata that the standards do not define. */
export const clientProperties = ['team', 'secret_hashes', 'state', 'source', 'owner_team_id'] as const

declare module 'oidc-provider' {
  interface Client {
    team: 'none' | 'optional' | 'required'
    secret_hashes: string[]
    state: ClientState
    source: ClientSource | null
    owner_team_id: string | null
  }
}

type ClientAdapterPorts = Pick<AdapterPorts, 'authUrl' | 'database' | 'modelEncoding' | 'keySets' | 'now' | 'prepareMetadataClient'>

/** oidc-provider's storage for clients. Each request reads the current registration. */
export function createClientAdapter(ports: ClientAdapterPorts): Adapter {
  const { authUrl, database, modelEncoding, keySets, now } = ports
  const refuse = () => Promise.reject(new Error('clients are registered by the schema'))
  const tryUri = buildTryUri(authUrl)
  return {
    async find(clientId) {
      // The assertion is checked here, because oidc-provider has read, but not checked, the parameters when it finds the client.
      const assertion = assertionInForm()
      ignoreExtraBlanks()
      const { rows, tokenRequest } = requestInProgress()
      const isJwtBearer = tokenRequest !== null && currentContext()?.oidc.body?.['grant_type'] === jwtBearerGrant
      if (isJwtBearer) {
        tokenRequest.identity = await findIdentity(database.pool, clientId)
        tokenRequest.machineId = tokenRequest.identity?.id ?? null
        if (tokenRequest.identity) return identityMetadata(tokenRequest.identity)
      }
      if (!(await ports.prepareMetadataClient(clientId))) return undefined
      const presented = tokenRequest ? presentedInForm() : null
      const key = presented && { hash: modelEncoding.hash(presented.value), kind: presented.kind }
      const client = await findClient(database.pool, clientId, now(), key)
      // An assertion of an identity provider decides whether a confidential client gets access, and not its registration.
      if (client && isJwtBearer && client.confidential) client.grantTypes.push(jwtBearerGrant)
      if (client) completeMachineScope(client)
      if (tokenRequest) tokenRequest.machineId = client?.id ?? null
      if (presented) rows.withClient = { ...presented, model: client?.model ?? null }
      if (!client) {
        // An identity can revoke its tokens. At other endpoints it is not a client.
        const identity = currentContext()?.path === endpoints.revocation.path ? await findIdentity(database.pool, clientId) : null
        return identity ? identityMetadata(identity) : undefined
      }
      if (isTriedExchange(client, tryUri)) return buildMetadata({ ...client, confidential: false }, tryUri, null)
      refuseExtendedProof()
      refuseUnlessMet(client, assertion !== null)
      if (assertion === null) return buildMetadata(client, tryUri, null)
      if (!client.jwks && client.jwksUri === null) throw refuseClient('the client has no registered keys')
      const { path } = assertion
      const kid = checkAssertion({ clientId, assertion: assertion.text, authUrl, path, now: now() })
      return buildMetadata(client, tryUri, await fetchClientKeys(client, kid, keySets))
    },
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    revokeByGrantId: refuse,
  }
}

/**
 * Returns the client assertion in the form, or null. Refuses a client secret there, and both in the query: oidc-provider ignores the
 * parameters of authentication methods that are switched off (docs/decisions/oauth.md#clients).
 */
function assertionInForm(): { text: string; path: string } | null {
  const ctx = currentContext()
  if (ctx === undefined) return null
  const { client_secret: secret, client_assertion: assertion } = { ...ctx.query, ...ctx.oidc.body }
  // A parameter without a value counts as omitted (RFC 6749 §3.2).
  if ([secret, assertion, ctx.headers.authorization].filter(Boolean).length > 1)
    throw new errors.InvalidRequest('client authentication must only be provided using one mechanism')
  if (secret) throw refuseClient('a client secret is accepted by HTTP Basic only')
  if (!assertion) return null
  const text = ctx.oidc.body?.['client_assertion']
  if (typeof text !== 'string') throw refuseClient('a client assertion is accepted in the body only')
  return { text, path: ctx.path }
}

/** Refuses a request that does not meet the client's requirements. oidc-provider would refuse it too, but later and without a reason. */
function refuseUnlessMet({ requireKeyAuthentication, dpopBoundAccessTokens }: Client, hasAssertion: boolean): void {
  const { path = '', headers } = currentContext() ?? {}
  if (requireKeyAuthentication && !hasAssertion && authenticatedPaths.has(path))
    throw refuseClient('the client must authenticate with a key (private_key_jwt)')
  if (dpopBoundAccessTokens && path === endpoints.token.path && headers?.['dpop'] === undefined)
    throw new errors.InvalidDpopProof('the client must send a DPoP proof')
}

/** Refuses a DPoP proof with a header parameter of which oidc-provider accepts some values. An unreadable proof is left to it. */
function refuseExtendedProof(): void {
  const parameter = findRefusedParameter(headerOfProof(currentContext()?.headers['dpop']))
  if (parameter !== null) throw new errors.InvalidDpopProof(`the DPoP proof must not have the header parameter ${parameter}`)
}

function headerOfProof(proof: unknown): object {
  try {
    return typeof proof === 'string' ? decodeProtectedHeader(proof) : {}
  } catch {
    return {}
  }
}

/** Removes leading, trailing and repeated blanks in a list, for which oidc-provider would refuse the whole request. */
function ignoreExtraBlanks(): void {
  const { body, params } = currentContext()?.oidc ?? {}
  for (const parameters of [body, params])
    for (const name of ['scope', 'prompt']) {
      const value: unknown = parameters?.[name]
      if (parameters && typeof value === 'string') parameters[name] = value.split(' ').filter(Boolean).join(' ') || undefined
    }
}

/** Sets the scopes of a request for a token by client credentials. */
function completeMachineScope(client: Client): void {
  const { body, params } = currentContext()?.oidc ?? {}
  if (!params || body?.['grant_type'] !== 'client_credentials' || !client.grantTypes.includes('client_credentials')) return
  const { scope } = params
  // The parameter was sent twice. oidc-provider refuses it later, as long as it is not replaced.
  if (scope !== undefined && typeof scope !== 'string') return
  const { scopes, refused } = chooseMachineScopes(listRegisteredScopes(client), scope)
  if (refused) throw new errors.InvalidScope('the client is not registered for this scope', refused)
  if (scopes.length === 0)
    throw new errors.CustomOIDCProviderError('invalid_scope', 'no scope is requested that a client can have for itself')
  params['scope'] = scopes.join(' ')
}

/** Returns the code or refresh token in the form of a token request, which the client's statement also reads; null if there is none. */
function presentedInForm(): { kind: string; value: string } | null {
  const { grant_type: grantType, refresh_token: refreshToken, code } = { ...currentContext()?.oidc.body }
  if (grantType === 'refresh_token' && typeof refreshToken === 'string') return { kind: 'RefreshToken', value: refreshToken }
  if (grantType === 'authorization_code' && typeof code === 'string') return { kind: 'AuthorizationCode', value: code }
  return null
}

/**
 * Returns the authentication method of this request. A client with keys may use them or its secret, unless it requires keys; oidc-provider
 * supports one method for each client.
 */
function getAuthentication({ confidential, requireKeyAuthentication }: Client, keys: PublicKey[] | null): Partial<ClientMetadata> {
  if (!confidential) return { token_endpoint_auth_method: 'none' }
  if (keys) return { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys } }
  // At other endpoints the client does not authenticate, and its keys are not read.
  if (requireKeyAuthentication) return { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } }
  // The secret is a placeholder that is never compared (see `verifySecret`), because oidc-provider requires one of confidential clients.
  return { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'stored as hashes' }
}

function buildMetadata(client: Client, tryUri: string | null, keys: PublicKey[] | null): ClientMetadata {
  return {
    client_id: client.clientId,
    client_name: client.name,
    // oidc-provider also compares the port of a loopback redirect URI of a web client. RFC 8252 §7.3 allows any port.
    application_type: 'native',
    redirect_uris: listRedirectUris(client, tryUri),
    grant_types: client.grantTypes,
    response_types: client.grantTypes.includes('authorization_code') ? ['code'] : [],
    scope: [...client.requiredScopes, ...client.optionalScopes].join(' '),
    ...getAuthentication(client, keys),
    ...readOptionalMetadata(client),
    ...(client.backchannelLogoutUri && { backchannel_logout_session_required: true }),
    team: client.team,
    secret_hashes: client.secretHashes,
    state: client.state,
    source: client.source,
    owner_team_id: client.ownerTeamId,
  }
}

/** Returns true if this is a valid secret of the client. During a rotation, it has two. */
export function verifySecret(secretHashes: readonly string[], secret: string): boolean {
  const hash = sha256(secret)
  return secretHashes.some((stored) => timingSafeEqual(Buffer.from(stored, 'hex'), hash))
}

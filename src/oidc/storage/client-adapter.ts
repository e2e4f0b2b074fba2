import { timingSafeEqual } from 'node:crypto'
import { errors, Provider } from 'oidc-provider'
import type { Adapter, ClientMetadata } from 'oidc-provider'
import { sha256 } from '../../../schema/secret.ts'
import { findClient } from './client.ts'
import type { Client } from './client.ts'
import type { AdapterPorts } from './artifact-adapter.ts'

/** What clients have beside the standard's metadata. */
export const clientProperties = ['team', 'secret_hashes'] as const

declare module 'oidc-provider' {
  interface Client {
    team: 'none' | 'optional' | 'required'
    secret_hashes: string[]
  }
}

/** oidc-provider's storage for clients: registered out of band, read as they are now on every request. */
export function createClientAdapter({ database, now }: Pick<AdapterPorts, 'database' | 'now'>): Adapter {
  const refuse = () => Promise.reject(new Error('clients are registered out of band'))
  return {
    async find(clientId) {
      refuseSecretInForm()
      const client = await findClient(database.pool, clientId, now())
      return client ? metadataOf(client) : undefined
    },
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    revokeByGrantId: refuse,
  }
}

/** oidc-provider overlooks what it does not offer; a secret in the form is no way to authenticate here (decisions §8). */
function refuseSecretInForm(): void {
  const { ctx } = Provider
  const { client_secret: secret, client_assertion: assertion } = { ...ctx?.query, ...ctx?.oidc.body }
  if (ctx === undefined || (secret === undefined && assertion === undefined)) return
  if (ctx.headers.authorization !== undefined)
    throw new errors.InvalidRequest('client authentication must only be provided using one mechanism')
  throw new errors.InvalidClientAuth('a client secret is sent by HTTP Basic alone')
}

function metadataOf(client: Client): ClientMetadata {
  return {
    client_id: client.clientId,
    client_name: client.name,
    // Of web clients oidc-provider would match the port of a loopback redirect URI too (RFC 8252 §7.3 wants any).
    application_type: 'native',
    redirect_uris: client.redirectUris,
    grant_types: client.grantTypes,
    response_types: client.grantTypes.includes('authorization_code') ? ['code'] : [],
    scope: [...client.requiredScopes, ...client.optionalScopes].join(' '),
    token_endpoint_auth_method: client.confidential ? 'client_secret_basic' : 'none',
    // Never compared: see below. It is demanded of every client that authenticates by a secret.
    ...(client.confidential && { client_secret: 'kept as hashes' }),
    id_token_signed_response_alg: client.idTokenAlgorithm,
    ...(client.postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: client.postLogoutRedirectUris }),
    ...(client.backchannelLogoutUri && { backchannel_logout_uri: client.backchannelLogoutUri, backchannel_logout_session_required: true }),
    team: client.team,
    secret_hashes: client.secretHashes,
  }
}

/**
 * Lets the provider compare a secret with the hashes that are live now: during a rotation there are two. `onWrong` is
 * told before the refusal and may refuse otherwise; a right secret asks nobody, and is never locked out.
 */
export function compareHashedSecrets(provider: Provider, onWrong: (clientId: string) => Promise<void>): void {
  provider.Client.prototype.compareClientSecret = async function compareClientSecret(actual: string) {
    const hash = sha256(actual)
    if (this.secret_hashes.some((known) => timingSafeEqual(Buffer.from(known, 'hex'), hash))) return true
    await onWrong(this.clientId)
    return false
  }
}

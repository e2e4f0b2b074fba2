import * as client from 'openid-client'
import { clockToleranceSeconds, buildMetadataUrl } from '../../../oauth/issuers.ts'
import { UnusableProviderError } from '../../protocol.ts'
import type { ProtocolPorts } from '../../protocol.ts'
import { removeNullsInText, getIssuerDocuments } from './documents.ts'
import type { ProviderMetadata } from './documents.ts'

/** An OpenID provider: that of a team, or a public one. */
export interface OidcProvider {
  issuer: string
  clientId: string
  /** Null for a public client. */
  clientSecret: string | null
  redirectUri: string
  groupsClaim: string | null
  /** True if the issuer depends on the user's tenant, as at Microsoft's multi-tenant endpoint. Never set for the provider of a team. */
  hasTenants?: boolean
  /** URL of the metadata, if it is not below the issuer. */
  metadataUrl?: string
}

const timeoutMilliseconds = 5000
const maxBytes = 256 * 1024

/** Returns the metadata of a provider, which must be that of its issuer: otherwise one host could sign for another (OpenID Connect Discovery 1.0 §4.3). */
export async function fetchMetadata(ports: ProtocolPorts, provider: OidcProvider): Promise<ProviderMetadata> {
  const { issuer, hasTenants = false, metadataUrl = buildMetadataUrl(issuer) } = provider
  const isOfIssuer = (metadata: ProviderMetadata) => hasTenants || metadata.issuer === issuer
  const metadata = await getIssuerDocuments(ports).readMetadata(metadataUrl, isOfIssuer)
  if (!isOfIssuer(metadata))
    throw new UnusableProviderError(
      `The metadata of the identity provider is that of another issuer: issuer is ${metadata.issuer.slice(0, 200)} instead of ${issuer}.`,
    )
  return metadata
}

/** Returns the configuration of openid-client for a provider. All its requests go through the guarded outgoing module. */
export async function fetchConfiguration(ports: ProtocolPorts, provider: OidcProvider): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret } = provider
  const metadata = await fetchMetadata(ports, provider)
  const fetch: client.CustomFetch = async (url, options) =>
    url.includes('/.well-known/openid-configuration') ? Response.json(metadata) : guardedFetch(ports, url, options)
  // The skew is needed because tests change the clock.
  const clockSkew = Math.round((ports.now().getTime() - Date.now()) / 1000)
  const methods = metadata.token_endpoint_auth_methods_supported
  // Not every provider decodes the form encoding that RFC 6749 §2.3.1 requires in the header, such as of hyphens in an identifier.
  const byPost = methods?.includes('client_secret_post') === true
  const authentication =
    clientSecret === null ? client.None() : byPost ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret)
  return client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockSkew]: clockSkew, [client.clockTolerance]: clockToleranceSeconds },
    authentication,
    {
      // The outgoing module decides to which hosts requests without TLS may be sent.
      execute: [client.allowInsecureRequests],
      [client.customFetch]: fetch,
    },
  )
}

/** The standard's `fetch` for openid-client, with a limit of time and size. Rejects with an `OutgoingError`. */
async function guardedFetch(
  { outgoing }: ProtocolPorts,
  url: string,
  { method, headers, body }: client.CustomFetchOptions,
): Promise<Response> {
  const request = { url, headers, timeoutMilliseconds, maxBytes, method: method === 'POST' ? 'POST' : 'GET' } as const
  const response = await outgoing.send({ ...request, ...(body instanceof URLSearchParams && { body: body.toString() }) })
  const type = response.headers['content-type']
  // A response without content must not have a body.
  const content = response.status === 204 || response.status === 304 ? null : removeNullsInText(response.body)
  return new Response(content, { status: response.status, headers: type === undefined ? {} : { 'content-type': type } })
}

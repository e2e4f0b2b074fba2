import { z } from 'zod'
import type { Outgoing } from '../../core/outgoing/outgoing.ts'
import { isOnDevice, redirectUris, webUri } from '../../core/outgoing/url-rules.ts'
import { oauthScopes, scopes } from '../../core/scopes.ts'
import { displayName } from '../../core/validation.ts'
import { SigningAlgorithm } from '../signing-keys/signing-algorithm.ts'
import { describeMetadataErrors } from '../clients/client-metadata.ts'
import { completeRegistration, grantTypes, registrationRules } from '../clients/client-rules.ts'
import type { Registration } from '../clients/client-rules.ts'
import { brokenNameRule } from '../team-clients/name-rules.ts'
import { getClientHost } from './client-url.ts'

/** The document of a client cannot be used. The message is for the developer of the client. */
export class UnusableDocumentError extends Error {}

/** The members of the document (RFC 7591 §2) that matter. Others are ignored: logos are not loaded, and a client gets no logout requests. */
const members = z.object({
  client_name: z.unknown().optional(),
  redirect_uris: z.array(z.string()).max(100).default([]),
  token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']).default('none'),
  grant_types: z.array(z.string()).default(['authorization_code']),
  scope: z.string().optional(),
  jwks: z.looseObject({}).optional(),
  jwks_uri: z.string().optional(),
  client_uri: z.unknown().optional(),
  policy_uri: z.unknown().optional(),
  tos_uri: z.unknown().optional(),
  id_token_signed_response_alg: z.enum(SigningAlgorithm).optional(),
  dpop_bound_access_tokens: z.boolean().default(false),
  require_pushed_authorization_requests: z.boolean().default(false),
})
type Members = z.output<typeof members>

interface DocumentPorts {
  outgoing: Pick<Outgoing, 'brokenRule'>
  brandName: string
}

/**
 * Converts the document of a client by URL to its registration (docs/decisions/agents.md#clients-by-url). Throws an `UnusableDocumentError`.
 */
export function parseClientDocument(clientId: string, json: unknown, ports: DocumentPorts): Registration {
  const document = z.record(z.string(), z.unknown()).safeParse(json).data
  if (!document) throw new UnusableDocumentError('must be a JSON object')
  if (document['client_id'] !== clientId) throw new UnusableDocumentError('must have its own URL as client_id')
  // A secret in a public document is none.
  if (Object.keys(document).some((name) => name.startsWith('client_secret')))
    throw new UnusableDocumentError('must not have a client secret')
  const parsed = members.safeParse(document)
  if (!parsed.success) throw new UnusableDocumentError(`has a value of ${String(parsed.error.issues[0]?.path[0])} that is not supported`)
  const registration = registrationRules(null).safeParse(completeRegistration(toRegistration(clientId, parsed.data, ports)))
  if (registration.success) return registration.data
  const [{ message, path } = { message: '', path: [] }] = registration.error.issues
  throw new UnusableDocumentError(`is refused: ${describeMetadataErrors({ [path.join('.')]: [message] }).error_description}`)
}

function toRegistration(clientId: string, document: Members, { outgoing, brandName }: DocumentPorts): object {
  const host = getClientHost(clientId)
  const isOnHost = (url: string) => URL.parse(url)?.hostname === host
  const name = displayName.safeParse(document.client_name).data
  const grants = grantTypes.filter((grant) => grant !== 'client_credentials' && document.grant_types.includes(grant))
  const requested = document.scope?.split(' ')
  const registered = oauthScopes.filter(
    (scope) => (requested?.includes(scope) ?? true) && (scope !== 'offline_access' || grants.includes('refresh_token')),
  )
  const page = (url: unknown) => (typeof url === 'string' && isOnHost(url) ? (webUri.safeParse(url).data ?? null) : null)
  return {
    // The document can have any name, so users recognize the client by its host, which is verified.
    name: host,
    description: name !== undefined && name !== host && brokenNameRule(name, brandName) === null ? name : null,
    // Only the host could receive what is sent there, or an app on the device of the user.
    redirectUris: document.redirect_uris.filter((uri) => redirectUris.safeParse([uri]).success && (isOnDevice(uri) || isOnHost(uri))),
    grantTypes: grants,
    requiredScopes: registered.filter((scope) => !scopes[scope].declinable),
    optionalScopes: registered.filter((scope) => scopes[scope].declinable),
    team: 'required',
    clientUri: page(document.client_uri),
    policyUri: page(document.policy_uri),
    tosUri: page(document.tos_uri),
    idTokenSignedResponseAlg: document.id_token_signed_response_alg ?? null,
    dpopBoundAccessTokens: document.dpop_bound_access_tokens,
    requirePushedAuthorizationRequests: document.require_pushed_authorization_requests,
    ...toAuthentication(document, (url) => isOnHost(url) && outgoing.brokenRule(url) === null),
  }
}

/** Returns the members about the authentication of the client, which has no secret. */
function toAuthentication({ token_endpoint_auth_method: method, jwks, jwks_uri: jwksUri }: Members, isOwnUrl: (url: string) => boolean) {
  if (method === 'none') return { confidential: false }
  if (jwksUri !== undefined && !isOwnUrl(jwksUri)) throw new UnusableDocumentError('must have a jwks_uri on its own host')
  return { confidential: true, requireKeyAuthentication: true, jwks: jwks ?? null, jwksUri: jwksUri ?? null }
}

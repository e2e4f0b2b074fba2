import { ClientTeam } from '../../../../prisma/generated/client/enums.ts'
import { oauthScopes } from '../../../../schema/core/scopes.ts'
import { grantTypes } from '../../../../schema/oauth/clients/client-rules.ts'
import { signingAlgorithms } from '../../../../schema/oauth/signing-keys/signing-algorithm.ts'
import { yesOrNo } from '../../command.ts'
import type { YesOrNo } from '../../command.ts'
import { wholeNumber } from '../../arguments/whole-number.ts'
import { readText } from '../../terminal/read-text.ts'

// The options that describe the registration of a client, and the output that shows it.

const teams = Object.values(ClientTeam)

export const registrationOptions = {
  'redirect-uri': {
    value: 'URI',
    multiple: true,
    description: 'redirect URI, compared exactly: https, or http to 127.0.0.1 or [::1]',
  },
  grant: {
    value: 'GRANT',
    multiple: true,
    suggestions: grantTypes,
    description: `grant type: ${grantTypes.join(', ')}`,
  },
  'required-scope': { value: 'SCOPE', multiple: true, suggestions: oauthScopes, description: 'scope that users cannot decline' },
  'optional-scope': { value: 'SCOPE', multiple: true, suggestions: oauthScopes, description: 'scope that users can decline' },
  team: { value: 'TEAM', values: teams, description: 'whether users select a team' },
  description: { value: 'TEXT', description: 'description of the client' },
  'refresh-replay-seconds': {
    value: 'N',
    description: 'seconds for which a replaced refresh token gets the same response again, 0 to 120',
  },
  'logo-uri': { value: 'URI', description: 'https address of its logo' },
  publisher: { value: 'NAME', description: 'company or person that publishes it' },
  verified: { value: 'YES', values: yesOrNo, description: 'whether you have verified the publisher' },
  'client-uri': { value: 'URI', description: 'https address of its home page' },
  'policy-uri': { value: 'URI', description: 'https address of its privacy policy' },
  'tos-uri': { value: 'URI', description: 'https address of its terms of service' },
  'post-logout-redirect-uri': { value: 'URI', multiple: true, description: 'redirect URI after sign-out' },
  'backchannel-logout-uri': { value: 'URI', description: 'address that receives back-channel logout requests' },
  'dpop-bound-access-tokens': { value: 'YES', values: yesOrNo, description: 'whether each of its token requests needs a DPoP proof' },
  'require-dpop': { value: 'YES', values: yesOrNo, description: 'the same as --dpop-bound-access-tokens' },
  'require-par': { value: 'YES', values: yesOrNo, description: 'whether each of its authorization requests must be pushed first' },
  'require-key-authentication': {
    value: 'YES',
    values: yesOrNo,
    description: 'whether it must authenticate with a key, not with a secret',
  },
  jwks: { value: 'FILE', description: 'file with its public keys, a JSON Web Key Set, or - for standard input' },
  'jwks-uri': { value: 'URI', description: 'address of its public keys' },
  'id-token-alg': {
    value: 'ALG',
    suggestions: signingAlgorithms,
    description: `signing algorithm of its ID tokens: ${signingAlgorithms.join(', ')}`,
  },
} as const

interface RegistrationOptions {
  'redirect-uri': string[]
  grant: string[]
  'required-scope': string[]
  'optional-scope': string[]
  team: ClientTeam | undefined
  description: string | undefined
  'refresh-replay-seconds': string | undefined
  'logo-uri': string | undefined
  publisher: string | undefined
  verified: YesOrNo | undefined
  'client-uri': string | undefined
  'policy-uri': string | undefined
  'tos-uri': string | undefined
  'post-logout-redirect-uri': string[]
  'backchannel-logout-uri': string | undefined
  'dpop-bound-access-tokens': YesOrNo | undefined
  'require-dpop': YesOrNo | undefined
  'require-par': YesOrNo | undefined
  'require-key-authentication': YesOrNo | undefined
  jwks: string | undefined
  'jwks-uri': string | undefined
  'id-token-alg': string | undefined
}

/** Options as GraphQL input. An omitted option is undefined; an empty value is null or an empty list. */
export const registrationInput = async (options: RegistrationOptions) => ({
  redirectUris: listOf(options['redirect-uri']),
  grantTypes: listOf(options.grant),
  requiredScopes: listOf(options['required-scope']),
  optionalScopes: listOf(options['optional-scope']),
  team: options.team?.toUpperCase(),
  description: nullIfEmpty(options.description),
  refreshReplaySeconds: wholeNumber(options['refresh-replay-seconds'], '--refresh-replay-seconds'),
  logoUri: nullIfEmpty(options['logo-uri']),
  publisher: nullIfEmpty(options.publisher),
  verified: isYes(options.verified),
  clientUri: nullIfEmpty(options['client-uri']),
  policyUri: nullIfEmpty(options['policy-uri']),
  tosUri: nullIfEmpty(options['tos-uri']),
  postLogoutRedirectUris: listOf(options['post-logout-redirect-uri']),
  backchannelLogoutUri: nullIfEmpty(options['backchannel-logout-uri']),
  dpopBoundAccessTokens: isYes(options['require-dpop'] ?? options['dpop-bound-access-tokens']),
  requirePushedAuthorizationRequests: isYes(options['require-par']),
  requireKeyAuthentication: isYes(options['require-key-authentication']),
  jwks: options.jwks ? await readText(options.jwks) : nullIfEmpty(options.jwks),
  jwksUri: nullIfEmpty(options['jwks-uri']),
  idTokenSignedResponseAlg: options['id-token-alg'],
})

const listOf = (values: string[]) => (values.length === 0 ? undefined : values.filter((value) => value !== ''))
const nullIfEmpty = (value: string | undefined) => (value === '' ? null : value)

const isYes = (value: YesOrNo | undefined) => (value === undefined ? undefined : value === 'yes')

/** A client with the fields of `clientFields`. */
export interface ClientFields {
  client_id: string
  name: string
  description: string | null
  redirect_uris: string[]
  confidential: boolean
  grants: string[]
  required: string[]
  optional: string[]
  team: string
  state: string
  proposed_changes: object[]
  owner_team: string | null
  version: string
  disabled_at: Date | null
}
export const clientFields = `client_id: clientId name description redirect_uris: redirectUris confidential grants: grantTypes
  required: requiredScopes optional: optionalScopes team refresh_replay_seconds: refreshReplaySeconds logo_uri: logoUri
  publisher verified client_uri: clientUri policy_uri: policyUri tos_uri: tosUri
  post_logout_redirect_uris: postLogoutRedirectUris backchannel_logout_uri: backchannelLogoutUri
  id_token_signed_response_alg: idTokenSignedResponseAlg dpop_bound_access_tokens: dpopBoundAccessTokens
  require_pushed_authorization_requests: requirePushedAuthorizationRequests require_key_authentication: requireKeyAuthentication
  jwks jwks_uri: jwksUri state owner_team: ownerTeamSlug rejection_reason: rejectionReason
  proposed_changes: proposedChanges { member live proposed } version disabled_at: disabledAt created_at: createdAt updated_at: updatedAt`

/** The client as output, in the format of an import record. */
export function clientOutput({
  client_id,
  name,
  description,
  redirect_uris,
  confidential,
  grants,
  required,
  optional,
  team,
  state,
  ...rest
}: ClientFields) {
  const scopes = { required, optional }
  const words = { team: team.toLowerCase(), state: state.toLowerCase() }
  return { client_id, name, description, redirect_uris, confidential, grants, scopes, ...words, ...rest }
}

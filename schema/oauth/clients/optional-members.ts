import { z } from 'zod'
import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import { displayName } from '../../core/validation.ts'
import { SigningAlgorithm } from '../signing-keys/signing-algorithm.ts'
import { registeredKeySet } from './key-set.ts'
import type { RegisteredKeySet } from './key-set.ts'
import { callbackUri, redirectUris, webUri } from '../../core/outgoing/url-rules.ts'

interface Values {
  uri: string | null
  name: string | null
  uris: string[]
  number: number
  flag: boolean
  algorithm: SigningAlgorithm
  keySet: RegisteredKeySet | null
}
export type MemberType = keyof Values

export interface MemberOf<Type extends MemberType> {
  type: Type
  rule: z.ZodType<Values[Type]>
  /** Property of the member's column; by default the name of the member. */
  property?: keyof OAuthClient
  /** Name in records of import and export, and in the metadata of OAuth clients (RFC 7591 §2) if that defines the member. */
  name: string
  /** True if oidc-provider reads the member. */
  isMetadata?: true
  /** True if only operators set the member. */
  isForOperators?: true
  /** Option of the command line, and its description. */
  option: string
  help: string
}

/**
 * The optional members of a registration, in the order of validation. The inputs and the type of GraphQL, rows, records, the metadata of
 * clients, the options of the command line and the form for teams are derived from them.
 */
export const optionalMembers = {
  refreshReplaySeconds: {
    type: 'number',
    rule: z.int().min(0).max(120),
    name: 'refresh_replay_seconds',
    option: 'refresh-replay-seconds',
    help: 'seconds for which a replaced refresh token gets the same response again, 0 to 120',
  },
  logoUri: { type: 'uri', rule: webUri.nullable(), name: 'logo_uri', option: 'logo-uri', help: 'https address of its logo' },
  publisher: {
    type: 'name',
    rule: displayName.nullable(),
    name: 'publisher',
    option: 'publisher',
    help: 'company or person that publishes it',
  },
  verified: {
    type: 'flag',
    rule: z.boolean(),
    name: 'verified',
    isForOperators: true,
    option: 'verified',
    help: 'whether you have verified the publisher',
  },
  clientUri: { type: 'uri', rule: webUri.nullable(), name: 'client_uri', option: 'client-uri', help: 'https address of its home page' },
  policyUri: {
    type: 'uri',
    rule: webUri.nullable(),
    name: 'policy_uri',
    option: 'policy-uri',
    help: 'https address of its privacy policy',
  },
  tosUri: { type: 'uri', rule: webUri.nullable(), name: 'tos_uri', option: 'tos-uri', help: 'https address of its terms of service' },
  postLogoutRedirectUris: {
    type: 'uris',
    rule: redirectUris,
    name: 'post_logout_redirect_uris',
    isMetadata: true,
    option: 'post-logout-redirect-uri',
    help: 'redirect URI after sign-out',
  },
  backchannelLogoutUri: {
    type: 'uri',
    rule: callbackUri.nullable(),
    name: 'backchannel_logout_uri',
    isMetadata: true,
    option: 'backchannel-logout-uri',
    help: 'address that receives back-channel logout requests',
  },
  idTokenSignedResponseAlg: {
    type: 'algorithm',
    rule: z.enum(SigningAlgorithm),
    property: 'idTokenAlgorithm',
    name: 'id_token_signed_response_alg',
    isMetadata: true,
    option: 'id-token-alg',
    help: `signing algorithm of its ID tokens: ${Object.keys(SigningAlgorithm).join(', ')}`,
  },
  dpopBoundAccessTokens: {
    type: 'flag',
    rule: z.boolean(),
    name: 'dpop_bound_access_tokens',
    isMetadata: true,
    option: 'dpop-bound-access-tokens',
    help: 'whether each of its token requests needs a DPoP proof',
  },
  requirePushedAuthorizationRequests: {
    type: 'flag',
    rule: z.boolean(),
    name: 'require_pushed_authorization_requests',
    isMetadata: true,
    option: 'require-par',
    help: 'whether each of its authorization requests must be pushed first',
  },
  requireKeyAuthentication: {
    type: 'flag',
    rule: z.boolean(),
    name: 'require_key_authentication',
    option: 'require-key-authentication',
    help: 'whether it must authenticate with a key, not with a secret',
  },
  jwks: {
    type: 'keySet',
    rule: registeredKeySet.nullable(),
    name: 'jwks',
    option: 'jwks',
    help: 'file with its public keys, a JSON Web Key Set, or - for standard input',
  },
  jwksUri: { type: 'uri', rule: callbackUri.nullable(), name: 'jwks_uri', option: 'jwks-uri', help: 'address of its public keys' },
} as const satisfies Record<string, { [Type in MemberType]: MemberOf<Type> }[MemberType]>

export type MemberRows = typeof optionalMembers
export type OptionalMember = keyof MemberRows
export type OperatorMember = { [M in OptionalMember]: MemberRows[M] extends { isForOperators: true } ? M : never }[OptionalMember]

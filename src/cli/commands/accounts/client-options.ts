import { ClientTeam } from '../../../../prisma/generated/client/enums.ts'
import { oauthScopes } from '../../../../schema/core/scopes.ts'
import { grantTypes } from '../../../../schema/oauth/clients/client-rules.ts'
import { mapByType, renameMembers } from '../../../../schema/oauth/clients/map-members.ts'
import { optionalMembers } from '../../../../schema/oauth/clients/optional-members.ts'
import { signingAlgorithms } from '../../../../schema/oauth/signing-keys/signing-algorithm.ts'
import { yesOrNo } from '../../command.ts'
import type { OptionValues, YesOrNo } from '../../command.ts'
import { wholeNumber } from '../../arguments/whole-number.ts'
import { readText } from '../../terminal/read-text.ts'

// The options that describe the registration of a client, and the output that shows it.

const teams = Object.values(ClientTeam)

const optionalOptions = mapByType({
  uri: (member) => ({ value: 'URI', description: optionalMembers[member].help }) as const,
  name: (member) => ({ value: 'NAME', description: optionalMembers[member].help }) as const,
  uris: (member) => ({ value: 'URI', multiple: true, description: optionalMembers[member].help }) as const,
  number: (member) => ({ value: 'N', description: optionalMembers[member].help }) as const,
  flag: (member) => ({ value: 'YES', values: yesOrNo, description: optionalMembers[member].help }) as const,
  algorithm: (member) => ({ value: 'ALG', suggestions: signingAlgorithms, description: optionalMembers[member].help }) as const,
  keySet: (member) => ({ value: 'FILE', description: optionalMembers[member].help }) as const,
})

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
  ...renameMembers(optionalOptions, 'option'),
  'require-dpop': { value: 'YES', values: yesOrNo, description: 'the same as --dpop-bound-access-tokens' },
} as const

/** Options as GraphQL input. An omitted option is undefined; an empty value is null or an empty list. */
export async function registrationInput(values: OptionValues<typeof registrationOptions>) {
  const options = { ...values, 'dpop-bound-access-tokens': values['require-dpop'] ?? values['dpop-bound-access-tokens'] }
  const keySet = options.jwks ? await readText(options.jwks) : nullIfEmpty(options.jwks)
  return {
    redirectUris: listOf(options['redirect-uri']),
    grantTypes: listOf(options.grant),
    requiredScopes: listOf(options['required-scope']),
    optionalScopes: listOf(options['optional-scope']),
    team: options.team?.toUpperCase(),
    description: nullIfEmpty(options.description),
    ...mapByType({
      uri: (member) => nullIfEmpty(options[optionalMembers[member].option]),
      name: (member) => nullIfEmpty(options[optionalMembers[member].option]),
      uris: (member) => listOf(options[optionalMembers[member].option]),
      number: (member) => wholeNumber(options[optionalMembers[member].option], `--${optionalMembers[member].option}`),
      flag: (member) => isYes(options[optionalMembers[member].option]),
      algorithm: (member) => options[optionalMembers[member].option],
      keySet: () => keySet,
    }),
  }
}

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

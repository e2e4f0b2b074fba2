import { ClientTeam } from '../../../../prisma/generated/client/enums.ts'
import { oauthScopes } from '../../../../schema/core/scopes.ts'
import { grantTypes } from '../../../../schema/oauth/clients/client-rules.ts'
import { mapByType, renameMembers } from '../../../../schema/oauth/clients/map-members.ts'
import { optionalMembers } from '../../../../schema/oauth/clients/optional-members.ts'
import { signingAlgorithms } from '../../../../schema/oauth/signing-keys/signing-algorithm.ts'
import { yesOrNo } from '../../command.ts'
import type { OptionValues, YesOrNo } from '../../command.ts'
import { toEnumName } from '../../context.ts'
import type { ClientOutputFragment } from '../../generated/operations.ts'
import { wholeNumber } from '../../argument-values.ts'
import { readText } from '../../terminal/input.ts'

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
    description: 'redirect URI, compared exactly: https, or http to 127.0.0.1, [::1] or, for public clients, localhost',
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

/** Converts options to GraphQL input. An omitted option is undefined; an empty value is null or an empty list. */
export async function registrationInput(values: OptionValues<typeof registrationOptions>) {
  const options = { ...values, 'dpop-bound-access-tokens': values['require-dpop'] ?? values['dpop-bound-access-tokens'] }
  const keySet = options.jwks ? await readText(options.jwks) : nullIfEmpty(options.jwks)
  return {
    redirectUris: toList(options['redirect-uri']),
    grantTypes: toList(options.grant),
    requiredScopes: toList(options['required-scope']),
    optionalScopes: toList(options['optional-scope']),
    team: options.team && toEnumName(options.team),
    description: nullIfEmpty(options.description),
    ...mapByType({
      uri: (member) => nullIfEmpty(options[optionalMembers[member].option]),
      name: (member) => nullIfEmpty(options[optionalMembers[member].option]),
      uris: (member) => toList(options[optionalMembers[member].option]),
      number: (member) => wholeNumber(options[optionalMembers[member].option], `--${optionalMembers[member].option}`),
      flag: (member) => isYes(options[optionalMembers[member].option]),
      algorithm: (member) => options[optionalMembers[member].option],
      keySet: () => keySet,
    }),
  }
}

const toList = (values: string[]) => (values.length === 0 ? undefined : values.filter((value) => value !== ''))
const nullIfEmpty = (value: string | undefined) => (value === '' ? null : value)

const isYes = (value: YesOrNo | undefined) => (value === undefined ? undefined : value === 'yes')

/** Formats the client for output, in the format of an import record. */
export const clientOutput = (client: ClientOutputFragment) => ({
  client_id: client.clientId,
  name: client.name,
  description: client.description,
  redirect_uris: client.redirectUris,
  confidential: client.confidential,
  grants: client.grantTypes,
  scopes: { required: client.requiredScopes, optional: client.optionalScopes },
  team: client.team.toLowerCase(),
  state: client.state.toLowerCase(),
  ...renameMembers(client, 'name'),
  owner_team: client.ownerTeamSlug,
  source: client.source.toLowerCase(),
  fetched_at: client.fetchedAt,
  rejection_reason: client.rejectionReason,
  proposed_changes: client.proposedChanges,
  version: client.version,
  disabled_at: client.disabledAt,
  created_at: client.createdAt,
  updated_at: client.updatedAt,
})

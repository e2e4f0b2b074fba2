import { ClientTeam } from '../../prisma/generated/client/enums.ts'
import { grantTypes } from '../../schema/oauth-client-rules.ts'
import { signingAlgorithms } from '../../schema/signing-algorithm.ts'
import { UsageError } from './command.ts'

// The options that say how a client is registered, and the record in which it is told again.

const teams = Object.values<string>(ClientTeam)

export const registrationOptions = {
  'redirect-uri': {
    value: 'URI',
    multiple: true,
    about: 'where it gets people back, matched exactly: https, or http to 127.0.0.1 or [::1]',
  },
  grant: {
    value: 'GRANT',
    multiple: true,
    about: `grant it may use, by its full name: ${grantTypes.join(', ')}`,
  },
  'required-scope': { value: 'SCOPE', multiple: true, about: 'scope that cannot be declined where it is requested' },
  'optional-scope': { value: 'SCOPE', multiple: true, about: 'scope that can be declined' },
  team: { value: 'TEAM', about: `whether its grants carry a team: ${teams.join(', ')}` },
  description: { value: 'TEXT', about: 'what it is for' },
  'refresh-replay-seconds': { value: 'N', about: 'for how long a replaced refresh token may be asked again, 0 to 120' },
  'logo-uri': { value: 'URI', about: 'its logo, https' },
  'post-logout-redirect-uri': { value: 'URI', multiple: true, about: 'where it may send people after sign-out' },
  'backchannel-logout-uri': { value: 'URI', about: 'where it is told of sign-outs' },
  'id-token-alg': { value: 'ALG', about: `algorithm of its ID tokens: ${signingAlgorithms.join(', ')}` },
} as const

interface Given {
  'redirect-uri': string[]
  grant: string[]
  'required-scope': string[]
  'optional-scope': string[]
  team: string | undefined
  description: string | undefined
  'refresh-replay-seconds': string | undefined
  'logo-uri': string | undefined
  'post-logout-redirect-uri': string[]
  'backchannel-logout-uri': string | undefined
  'id-token-alg': string | undefined
}

/** Options as the members of an input. What was not given is absent; what was given empty is null, or an empty list. */
export const registrationInput = (given: Given) => ({
  redirectUris: list(given['redirect-uri']),
  grantTypes: list(given.grant),
  requiredScopes: list(given['required-scope']),
  optionalScopes: list(given['optional-scope']),
  team: teamValue(given.team),
  description: one(given.description),
  refreshReplaySeconds: count(given['refresh-replay-seconds'], '--refresh-replay-seconds'),
  logoUri: one(given['logo-uri']),
  postLogoutRedirectUris: list(given['post-logout-redirect-uri']),
  backchannelLogoutUri: one(given['backchannel-logout-uri']),
  idTokenSignedResponseAlg: one(given['id-token-alg']),
})

const list = (values: string[]) => (values.length === 0 ? undefined : values.filter((value) => value !== ''))
const one = (value: string | undefined) => (value === '' ? null : value)

function teamValue(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  if (!teams.includes(value)) throw new UsageError(`--team must be one of ${teams.join(', ')}; it is ${value}`)
  return value.toUpperCase()
}

function count(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,6}$/.test(value)) throw new UsageError(`${option} must be a whole number; it is ${value}`)
  return Number(value)
}

/** A client as the schema tells it by `members`. */
export interface Told {
  client_id: string
  name: string
  description: string | null
  redirect_uris: string[]
  confidential: boolean
  grants: string[]
  required: string[]
  optional: string[]
  team: string
  disabled_at: Date | null
}
export const members = `client_id: clientId name description redirect_uris: redirectUris confidential grants: grantTypes
  required: requiredScopes optional: optionalScopes team refresh_replay_seconds: refreshReplaySeconds logo_uri: logoUri
  post_logout_redirect_uris: postLogoutRedirectUris backchannel_logout_uri: backchannelLogoutUri
  id_token_signed_response_alg: idTokenSignedResponseAlg disabled_at: disabledAt created_at: createdAt updated_at: updatedAt`

/** The same as a record, its scopes together and its team in the contract's words. */
export function recordOf({ client_id, name, description, redirect_uris, confidential, grants, required, optional, team, ...rest }: Told) {
  const scopes = { required, optional }
  return { client_id, name, description, redirect_uris, confidential, grants, scopes, team: team.toLowerCase(), ...rest }
}

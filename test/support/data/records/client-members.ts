import { expect } from 'vitest'

/** The optional members of a client record. */
export const clientOptions = {
  refresh_replay_seconds: 30,
  logo_uri: 'https://app.example/logo.svg',
  publisher: 'Example GmbH',
  verified: true,
  client_uri: 'https://app.example/',
  policy_uri: 'https://app.example/privacy',
  tos_uri: 'https://app.example/terms',
  post_logout_redirect_uris: ['https://app.example/bye'],
  backchannel_logout_uri: 'https://app.example/logout',
  id_token_signed_response_alg: 'RS256',
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: true,
  require_key_authentication: true,
  jwks_uri: 'https://app.example/keys.json',
}
/** What the output has of reviews, of a client of the operator. */
export const unreviewed = {
  state: 'listed',
  source: 'operator',
  fetched_at: null,
  owner_team: null,
  rejection_reason: null,
  proposed_changes: [],
  version: expect.any(String),
}

/** The values of these members in a client that was created without them. */
export const clientDefaults = {
  description: null,
  refresh_replay_seconds: 0,
  logo_uri: null,
  publisher: null,
  verified: false,
  client_uri: null,
  policy_uri: null,
  tos_uri: null,
  post_logout_redirect_uris: [],
  backchannel_logout_uri: null,
  id_token_signed_response_alg: 'ES256',
  dpop_bound_access_tokens: false,
  require_pushed_authorization_requests: false,
  require_key_authentication: false,
  jwks: null,
  jwks_uri: null,
  disabled_at: null,
}

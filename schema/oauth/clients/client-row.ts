import type { ClientWithSecrets } from './client.ts'

/** A client as lists select it: its instants are text, and of its secrets there are only the times. */
export type ClientRow = Omit<ClientWithSecrets, 'secrets'> & { secrets: { createdAt: string; expiresAt: string | null }[] }

/** The columns of a client `r` in lists. Secrets in the order of `longestValidFirst`; their hashes are not selected. */
export const listedClientColumns = `r.id, r.client_id AS "clientId", r.name, r.description, to_json(r.redirect_uris) AS "redirectUris", r.confidential,
    to_json(r.grant_types) AS "grantTypes", to_json(r.required_scopes) AS "requiredScopes", to_json(r.optional_scopes) AS "optionalScopes",
    r.team, r.refresh_replay_seconds AS "refreshReplaySeconds", r.logo_uri AS "logoUri", r.publisher, r.verified,
    r.client_uri AS "clientUri", r.policy_uri AS "policyUri", r.tos_uri AS "tosUri",
    to_json(r.post_logout_redirect_uris) AS "postLogoutRedirectUris", r.backchannel_logout_uri AS "backchannelLogoutUri",
    r.id_token_algorithm AS "idTokenAlgorithm", r.dpop_bound_access_tokens AS "dpopBoundAccessTokens",
    r.require_pushed_authorization_requests AS "requirePushedAuthorizationRequests",
    r.require_key_authentication AS "requireKeyAuthentication", r.jwks, r.jwks_uri AS "jwksUri", r.owner_team_id AS "ownerTeamId", r.state,
    r.rejection_reason AS "rejectionReason", r.proposed_changes AS "proposedChanges", r.last_used_at AS "lastUsedAt",
    r.disabled_at AS "disabledAt", r.created_at AS "createdAt", r.updated_at AS "updatedAt",
    (SELECT coalesce(json_agg(json_build_object('createdAt', s.created_at, 'expiresAt', s.expires_at)
      ORDER BY s.expires_at DESC NULLS FIRST, s.created_at DESC, s.id DESC), '[]')
    FROM oauth_client_secrets s WHERE s.oauth_client_id = r.id) AS secrets`

export const toClient = ({ secrets, ...client }: ClientRow): ClientWithSecrets => ({
  ...client,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no field of a secret reads more than its times
  secrets: secrets.map(({ createdAt, expiresAt }) => ({
    createdAt: new Date(createdAt),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  })) as ClientWithSecrets['secrets'],
})

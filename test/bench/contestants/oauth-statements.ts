/** A token with what decides whether it is active. */
export interface TokenRow {
  /** As oidc-provider stores it; times are seconds since 1970. */
  payload: { scope: string; iat: number; exp: number }
  granted: string[]
  registered: string[]
  client_id: string
  /** Whether the client of the request exists, is not disabled, and its secret is valid. */
  is_client_authenticated: boolean
  /** Slug of the team of the grant, or null if it has none or the user has left it. */
  team: string | null
  user_id: string
  name: string
  email: string
  email_verified: boolean
  updated_at: number
}

const tokenOfKind = (kind: string) => `SELECT a.payload, k.scopes AS granted,
    c.required_scopes || c.optional_scopes AS registered, c.client_id,
    EXISTS (SELECT 1 FROM oauth_clients r JOIN oauth_client_secrets s ON s.oauth_client_id = r.id
      WHERE r.client_id = $2 AND r.disabled_at IS NULL AND s.hash = $3 AND (s.expires_at IS NULL OR s.expires_at > now())) AS is_client_authenticated,
    (SELECT t.slug FROM members m WHERE m.team_id = g.team_id AND m.user_id = g.user_id) AS team,
    u.id AS user_id, u.name, u.email, u.email_verified, extract(epoch FROM u.updated_at)::bigint AS updated_at
  FROM oidc_models a JOIN token_chains k ON k.id = a.chain_id JOIN oauth_grants g ON g.id = k.grant_id
    JOIN oauth_clients c ON c.id = g.oauth_client_id JOIN users u ON u.id = g.user_id LEFT JOIN teams t ON t.id = g.team_id
  WHERE a.id_hash = $1 AND a.kind = '${kind}' AND a.consumed_at IS NULL AND a.expires_at > now() AND k.revoked_at IS NULL
    AND g.revoked_at IS NULL AND g.expires_at > now() AND c.disabled_at IS NULL AND u.disabled_at IS NULL AND t.deleted_at IS NULL`

export const activeToken = { name: 'active_token', text: tokenOfKind('AccessToken') }
export const refreshToken = { name: 'refresh_token', text: tokenOfKind('RefreshToken') }

/** Spends a refresh token, stores its successors and the encrypted response. Returns no row if it was spent before. */
export const rotate = {
  name: 'rotate',
  text: `WITH consumed AS (
      UPDATE oidc_models SET consumed_at = now() WHERE id_hash = $1 AND consumed_at IS NULL RETURNING id_hash, chain_id
    ), created AS (
      INSERT INTO oidc_models (id_hash, kind, payload, chain_id, expires_at)
      SELECT decode(m.hash, 'hex'), m.kind, m.payload, consumed.chain_id, now() + m.seconds * interval '1 second'
      FROM consumed, jsonb_to_recordset($2::jsonb) AS m(hash text, kind text, payload jsonb, seconds int)
    ), stored AS (
      INSERT INTO token_responses (model_hash, encrypted, successor_hash) SELECT id_hash, $3, $4 FROM consumed
    )
    SELECT 1 FROM consumed`,
}

/** A client that acts for its team, with what decides whether it gets a token. */
export interface MachineRow {
  client_id: string
  registered: string[]
  is_client_authenticated: boolean
}

export const machineClient = {
  name: 'machine_client',
  text: `SELECT c.client_id, c.required_scopes || c.optional_scopes AS registered,
      EXISTS (SELECT 1 FROM oauth_client_secrets s
        WHERE s.oauth_client_id = c.id AND s.hash = $2 AND (s.expires_at IS NULL OR s.expires_at > now())) AS is_client_authenticated
    FROM oauth_clients c WHERE c.client_id = $1 AND c.disabled_at IS NULL`,
}

/** Stores a token of a machine. Returns no row if its team is deleted, or the client has lost the grant. */
export const insertMachineToken = {
  name: 'insert_machine_token',
  text: `WITH owner AS (
      SELECT t.slug FROM oauth_clients c JOIN teams t ON t.id = c.owner_team_id AND t.deleted_at IS NULL
      WHERE c.client_id = $1 AND c.disabled_at IS NULL AND c.confidential AND 'client_credentials' = ANY (c.grant_types)
    ), created AS (
      INSERT INTO oidc_models (id_hash, kind, payload, expires_at)
      SELECT $2, 'ClientCredentials', $3::jsonb, now() + $4 * interval '1 second' FROM owner
    )
    SELECT slug AS team FROM owner`,
}

/** A workload identity of a team that is not deleted. */
export interface IdentityRow {
  issuer: string
  conditions: { claim: string; value: string }[]
  scopes: string[]
}

export const workloadIdentity = {
  name: 'workload_identity',
  text: `SELECT w.issuer, w.conditions, w.scopes FROM workload_identities w JOIN teams t ON t.id = w.team_id AND t.deleted_at IS NULL
    WHERE w.id = $1`,
}

/** Records that an ID token was used. Returns no row if it was used before. */
export const useAssertion = {
  name: 'use_assertion',
  text: `INSERT INTO oidc_models (id_hash, kind, payload, expires_at) VALUES ($1, 'ReplayDetection', '{}', to_timestamp($2))
    ON CONFLICT DO NOTHING RETURNING 1`,
}

/** Stores a token of an identity. Returns no row if the identity or its team is deleted, or it trusts others by now. */
export const insertIdentityToken = {
  name: 'insert_identity_token',
  text: `WITH owner AS (
      SELECT t.slug FROM workload_identities w JOIN teams t ON t.id = w.team_id AND t.deleted_at IS NULL
      WHERE w.id = $1 AND w.issuer = $5 AND w.conditions = $6::jsonb
    ), created AS (
      INSERT INTO oidc_models (id_hash, kind, payload, expires_at)
      SELECT $2, 'ClientCredentials', $3::jsonb, now() + $4 * interval '1 second' FROM owner
    )
    SELECT slug AS team FROM owner`,
}

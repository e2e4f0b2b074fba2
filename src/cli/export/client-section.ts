import type { ClientTeam } from '../../../prisma/generated/client/enums.ts'
import type { Registration } from '../../../schema/oauth-client-rules.ts'
import { usualSigningAlgorithm } from '../../../schema/signing-algorithm.ts'
import { given, instant, section, unless } from './section.ts'

interface ClientRow {
  client_id: string
  name: string
  description: string | null
  redirect_uris: string[]
  confidential: boolean
  hashes: { sha256: string; expires_at: string | null }[]
  grants: Registration['grantTypes']
  required: Registration['requiredScopes']
  optional: Registration['optionalScopes']
  team: ClientTeam
  refresh_replay_seconds: number
  logo_uri: string | null
  post_logout_redirect_uris: string[]
  backchannel_logout_uri: string | null
  id_token_algorithm: Registration['idTokenSignedResponseAlg']
  disabled_at: string | null
}

const hashes = `SELECT coalesce(json_agg(json_build_object('sha256', encode(hash, 'hex'), 'expires_at', ${instant('expires_at')}) ORDER BY hash), '[]')
  FROM oauth_client_secrets WHERE oauth_client_id = c.id`

/** Clients with the hashes of their secrets, those that are over too: what time it is must not matter. */
export const client = section<ClientRow>({
  type: 'client',
  text: `SELECT client_id, name, description, to_json(redirect_uris) AS redirect_uris, confidential, (${hashes}) AS hashes,
      to_json(grant_types) AS grants, to_json(required_scopes) AS required, to_json(optional_scopes) AS optional, team,
      refresh_replay_seconds, logo_uri, to_json(post_logout_redirect_uris) AS post_logout_redirect_uris, backchannel_logout_uri,
      id_token_algorithm, ${instant('disabled_at')} AS disabled_at
    FROM oauth_clients c ORDER BY client_id COLLATE "C"`,
  record: ({ hashes, required, optional, ...row }) => ({
    type: 'client',
    client_id: row.client_id,
    name: row.name,
    description: given(row.description),
    redirect_uris: row.redirect_uris,
    confidential: row.confidential,
    client_secret_hashes:
      hashes.length === 0 ? undefined : hashes.map(({ sha256, expires_at }) => ({ sha256, expires_at: given(expires_at) })),
    grants: row.grants,
    scopes: { required, optional },
    team: row.team,
    refresh_replay_seconds: unless<number>(row.refresh_replay_seconds, 0),
    logo_uri: given(row.logo_uri),
    post_logout_redirect_uris: row.post_logout_redirect_uris.length === 0 ? undefined : row.post_logout_redirect_uris,
    backchannel_logout_uri: given(row.backchannel_logout_uri),
    id_token_signed_response_alg: unless(row.id_token_algorithm, usualSigningAlgorithm),
    disabled_at: given(row.disabled_at),
  }),
})

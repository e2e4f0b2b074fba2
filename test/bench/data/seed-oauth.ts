import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { sha256 } from '../../../schema/core/sha256.ts'
import { lifetimes } from '../../../src/oidc/provider/lifetimes.ts'

/** A confidential client with tokens of a user and the team `acme`. */
export interface OAuthData {
  clientId: string
  clientSecret: string
  accessToken: string
  /** Refresh tokens, each in a chain of its own, for one connection to one contestant. */
  refreshTokens: string[]
  /** A client of the team `acme` that gets tokens of its own. */
  machine: Pick<OAuthData, 'clientId' | 'clientSecret'>
}

const clientId = 'bench'
const scopes = ['openid', 'profile', 'email', 'offline_access']

/** Inserts a client, a grant and refresh tokens, and obtains an access token from the service at `origin`. */
export async function seedOAuth(session: pg.Client, origin: string, refreshTokens: number): Promise<OAuthData> {
  const clientSecret = randomBytes(32).toString('base64url')
  const { rows } = await session.query<{ grantId: string; userId: string }>(
    `WITH client AS (
       INSERT INTO oauth_clients (client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes, team)
       VALUES ($1, 'Bench', '{https://app.example/callback}', true, '{authorization_code,refresh_token}', '{openid}', $2, 'optional') RETURNING id),
     secret AS (INSERT INTO oauth_client_secrets (oauth_client_id, hash) SELECT id, $3 FROM client)
     INSERT INTO oauth_grants (user_id, oauth_client_id, team_id, scopes, expires_at)
     SELECT u.id, c.id, t.id, array_append($2, 'openid'), now() + interval '365 days'
     FROM client c, users u, teams t WHERE u.email = 'oneteam' AND t.slug = 'acme'
     RETURNING id AS "grantId", user_id AS "userId"`,
    [clientId, scopes.filter((scope) => scope !== 'openid'), sha256(clientSecret)],
  )
  const [grant] = rows
  if (!grant) throw new Error('seedOAuth needs the callers and teams of seed')
  const { grantId, userId: accountId } = grant
  await session.query(usedTokens, [grantId])
  // Autovacuum brings tables in use into the same state. Otherwise connections would plan for empty tables.
  await session.query('VACUUM ANALYZE')
  const at = Math.floor(Date.now() / 1000)

  async function insertRefreshToken(): Promise<string> {
    const value = randomBytes(32).toString('base64url')
    const exp = at + lifetimes.refreshToken
    const payload = { kind: 'RefreshToken', accountId, clientId, grantId, scope: scopes.join(' '), gty: 'authorization_code' }
    await session.query(
      `WITH chain AS (INSERT INTO token_chains (grant_id, scopes) SELECT id, scopes FROM oauth_grants WHERE id = $1 RETURNING id)
       INSERT INTO oidc_models (id_hash, kind, payload, chain_id, expires_at)
       SELECT $2, 'RefreshToken', $3, id, to_timestamp($4) FROM chain`,
      [grantId, sha256(value), { ...payload, authTime: at, iat: at, iiat: at, exp, rotations: 0 }, exp],
    )
    return value
  }

  const tokens: string[] = []
  for (let count = 0; count < refreshTokens; count++) tokens.push(await insertRefreshToken())
  const accessToken = await obtainAccessToken(origin, { clientId, clientSecret }, await insertRefreshToken())
  return { clientId, clientSecret, accessToken, refreshTokens: tokens, machine: await insertMachine(session) }
}

async function insertMachine(session: pg.Client): Promise<OAuthData['machine']> {
  const machine = { clientId: 'bench-machine', clientSecret: randomBytes(32).toString('base64url') }
  await session.query(
    `WITH client AS (
       INSERT INTO oauth_clients (client_id, name, redirect_uris, confidential, grant_types, required_scopes, optional_scopes, owner_team_id)
       SELECT $1, 'Bench', '{}', true, '{client_credentials}', '{}', '{teams,acct:team:read}', id FROM teams WHERE slug = 'acme' RETURNING id)
     INSERT INTO oauth_client_secrets (oauth_client_id, hash) SELECT id, $2 FROM client`,
    [machine.clientId, sha256(machine.clientSecret)],
  )
  return machine
}

/** Chains in which refresh tokens were used, with the stored responses. */
const usedTokens = `
  WITH chains AS (
    INSERT INTO token_chains (grant_id, scopes) SELECT id, scopes FROM oauth_grants, generate_series(1, 1000) WHERE id = $1 RETURNING id),
  models AS (
    INSERT INTO oidc_models (id_hash, kind, payload, chain_id, consumed_at, expires_at)
    SELECT sha256(gen_random_uuid()::text::bytea), 'RefreshToken', '{}', id, now(), now() + interval '30 days'
    FROM chains, generate_series(1, 20) RETURNING id_hash)
  INSERT INTO token_responses (model_hash, encrypted, delivered_at) SELECT id_hash, decode(repeat('00', 1200), 'hex'), now() FROM models`

/** From the service itself, so that it is stored as the service stores it. */
async function obtainAccessToken(
  origin: string,
  client: Pick<OAuthData, 'clientId' | 'clientSecret'>,
  refreshToken: string,
): Promise<string> {
  const response = await fetch(`${origin}/api/oauth/token`, {
    method: 'POST',
    headers: { Authorization: basicAuthorization(client) },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  })
  if (response.status !== 200) throw new Error(`the token endpoint responds ${response.status} ${await response.text()}`)
  const { access_token }: { access_token: string } = await response.json()
  return access_token
}

export const basicAuthorization = ({ clientId, clientSecret }: Pick<OAuthData, 'clientId' | 'clientSecret'>) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

import type { Database } from '../../../prisma/client.ts'
import { statement } from '../../../prisma/statement.ts'
import { lifetimes } from '../lifetimes.ts'
import { revokeChain } from '../storage/model-queries.ts'
import type { ReplayCache } from './replay-cache.ts'
import type { TokenRequest } from '../request-context.ts'

const commitExchange = statement<
  { isFirstUse: boolean },
  [hash: Buffer, newModels: string, encryptedResponse: Buffer, successorHash: Buffer | null, extendsGrant: boolean, now: Date]
>(
  'commit_exchange',
  `WITH consumed AS (
     UPDATE oidc_models SET consumed_at = $6 WHERE id_hash = $1 AND consumed_at IS NULL RETURNING id_hash, chain_id
   ), created AS (
     INSERT INTO oidc_models (id_hash, kind, payload, chain_id, expires_at)
     SELECT decode(m.hash, 'hex'), m.kind, m.payload, consumed.chain_id, m.expires_at
     FROM consumed, jsonb_to_recordset($2::jsonb) AS m(hash text, kind text, payload jsonb, expires_at timestamptz)
   ), stored AS (
     INSERT INTO token_responses (model_hash, encrypted, successor_hash) SELECT id_hash, $3, $4 FROM consumed
   ), extended AS (
     UPDATE oauth_grants g SET expires_at = greatest(g.expires_at, $6::timestamptz + interval '${lifetimes.refreshTokenFamily} seconds')
     FROM consumed JOIN token_chains k ON k.id = consumed.chain_id WHERE $5::boolean AND g.id = k.grant_id
   )
   SELECT EXISTS (SELECT 1 FROM consumed) AS "isFirstUse"`,
)

export interface ExchangePorts {
  database: Database
  replayCache: ReplayCache
  now(): Date
}

/**
 * Commits a token request that succeeded with this response body. Returns the body that the client gets: if another request
 * with the same value came first, that request's response. Null if the value is no longer valid.
 */
export async function exchange(
  { presented, newModels, replayedResponse }: TokenRequest,
  body: object,
  { database, replayCache, now }: ExchangePorts,
): Promise<object | null> {
  if (replayedResponse) return replayedResponse
  if (!presented) throw new Error('tokens were issued without a code or refresh token')
  const response = { ...body, team: presented.grant?.team ?? null }
  const successor = newModels.find(({ kind }) => kind === 'RefreshToken')
  const [committed] = await commitExchange(
    database.pool,
    presented.hash,
    JSON.stringify(newModels),
    replayCache.encrypt(presented, response),
    successor ? Buffer.from(successor.hash, 'hex') : null,
    // Its refresh tokens can be valid for a year in all.
    presented.isCode,
    now(),
  )
  if (committed?.isFirstUse) return response
  // The request read the value as unused, but another one has committed first.
  const secondUse = await replayCache.judge(presented)
  if (typeof secondUse === 'object') return secondUse.response
  // Not for a refresh token: this request began before the token was replaced.
  if (secondUse === 'reuse' && presented.isCode) await revokeChain(database.pool, presented.hash, now())
  return null
}

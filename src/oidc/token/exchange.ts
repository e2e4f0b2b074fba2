import { statement } from '../../../prisma/statement/statement.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import { lifetimes } from '../provider/lifetimes.ts'
import { revokeChain } from '../storage/model-queries.ts'
import type { ReplayCache } from './replay-cache.ts'
import { issueMachineToken } from './machine-token.ts'
import type { TokenRequest } from './token-request.ts'

type Values = [hash: Buffer, newModels: string, encryptedResponse: Buffer, successorHash: Buffer | null, now: Date]

/** Prepares a statement that writes the changes of a token request, with `more` changes. */
const commitStatement = (name: string, more = '') =>
  statement<{ isFirstUse: boolean }, Values>(
    name,
    `WITH consumed AS (
     UPDATE oidc_models SET consumed_at = $5 WHERE id_hash = $1 AND consumed_at IS NULL RETURNING id_hash, chain_id
   ), created AS (
     INSERT INTO oidc_models (id_hash, kind, payload, chain_id, expires_at)
     SELECT decode(m.hash, 'hex'), m.kind, m.payload, consumed.chain_id, m.expires_at
     FROM consumed, jsonb_to_recordset($2::jsonb) AS m(hash text, kind text, payload jsonb, expires_at timestamptz)
   ), stored AS (
     INSERT INTO token_responses (model_hash, encrypted, successor_hash) SELECT id_hash, $3, $4 FROM consumed
   )${more}
   SELECT EXISTS (SELECT 1 FROM consumed) AS "isFirstUse"`,
  )

const commitRefresh = commitStatement('commit_refresh')
// This statement also extends the grant, because the refresh tokens of a code can be valid for a year in total. It is separate, because a
// part that a condition disables would cost the other token requests a fifth more.
const commitCode = commitStatement(
  'commit_code',
  `, extended AS (
     UPDATE oauth_grants g SET expires_at = greatest(g.expires_at, $5::timestamptz + interval '${lifetimes.refreshTokenFamily} seconds')
     FROM consumed JOIN token_chains k ON k.id = consumed.chain_id WHERE g.id = k.grant_id
   )`,
)

interface ExchangePorts extends Pick<Ports, 'database' | 'now'> {
  replayCache: ReplayCache
}

/**
 * Commits a token request that succeeded with this response body. Returns the body for the client, which is that of another request if it
 * came first with the same value. Null if the value is no longer valid.
 */
export async function exchange(request: TokenRequest, body: object, ports: ExchangePorts): Promise<object | null> {
  const { database, replayCache, now } = ports
  const { presented, identity, vouched, newModels, replayedResponse } = request
  if (replayedResponse) return replayedResponse
  if (vouched) return vouched.issued && { ...body, ...vouched.issued }
  if (!presented) {
    const [token] = newModels
    if (!token) throw new Error('a token request succeeded without a token')
    return issueMachineToken(token, identity, body, database)
  }
  const response = { ...body, team: presented.grant?.team ?? null }
  const successor = newModels.find(({ kind }) => kind === 'RefreshToken')
  const commit = presented.isCode ? commitCode : commitRefresh
  const [committed] = await commit(
    database.pool,
    presented.hash,
    JSON.stringify(newModels),
    replayCache.encrypt(presented, response),
    successor ? Buffer.from(successor.hash, 'hex') : null,
    now(),
  )
  if (committed?.isFirstUse) return response
  // The request read the value as unused, but another one committed first.
  const secondUse = await replayCache.judge(presented)
  if (typeof secondUse === 'object') return secondUse.response
  // A refresh token is excluded, because this request began before the token was replaced.
  if (secondUse === 'reuse' && presented.isCode) await revokeChain(database.pool, presented.hash, now())
  return null
}

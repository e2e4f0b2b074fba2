import type { Database } from '../../../prisma/client.ts'
import { statement } from '../../../prisma/statement.ts'
import { lifetimes } from '../lifetimes.ts'
import type { Answers } from './answers.ts'
import type { Exchange } from '../turn.ts'

const commit = statement<
  { spent: boolean },
  [hash: Buffer, made: string, sealed: Buffer, processId: number, now: Date, extendedGrant: string | null]
>(
  'commit_exchange',
  `WITH spent AS (
     UPDATE oauth_artifacts SET consumed_at = $5 WHERE id_hash = $1 AND consumed_at IS NULL RETURNING id_hash
   ), made AS (
     INSERT INTO oauth_artifacts (id_hash, kind, payload, grant_id, expires_at)
     SELECT decode(m.hash, 'hex'), m.kind, m.payload, m.grant_id, m.expires_at
     FROM spent, jsonb_to_recordset($2::jsonb) AS m(hash text, kind text, payload jsonb, grant_id uuid, expires_at timestamptz)
   ), answered AS (
     INSERT INTO oauth_answers (artifact_hash, sealed, process_id, created_at) SELECT id_hash, $3, $4, $5 FROM spent
   ), extended AS (
     UPDATE oauth_grants g SET expires_at = greatest(g.expires_at, $5::timestamptz + interval '${lifetimes.refreshTokensInAll} seconds')
     FROM spent WHERE g.id = $6::uuid
   )
   SELECT EXISTS (SELECT 1 FROM spent) AS spent`,
)

export interface ExchangePorts {
  database: Database
  answers: Answers
  processId(): Promise<number>
  now(): Date
}

/**
 * Ends an exchange that succeeded with this body: writes it and answers what the client gets, which is another request's
 * answer when that one came first; null when the value is worth nothing any more.
 */
export async function settle({ presented, made, repeated }: Exchange, body: object, ports: ExchangePorts): Promise<object | null> {
  if (repeated) return repeated
  if (!presented) throw new Error('tokens were issued for nothing')
  const { database, answers, processId, now } = ports
  const answer = { ...body, team: presented.grant?.team ?? null }
  const sealed = answers.seal(presented, answer)
  const [written] = await commit(
    database.pool,
    presented.hash,
    JSON.stringify(made),
    sealed,
    await processId(),
    now(),
    presented.isFirst ? (presented.grant?.id ?? null) : null,
  )
  // Whoever read the value unspent and yet comes second was under way when the first committed (decisions §8).
  return written?.spent ? answer : answers.given(presented)
}

import { setTimeout as pause } from 'node:timers/promises'
import { statement } from '../../prisma/statement/statement.ts'
import { queueSchema } from '../jobs/queue.ts'

/**
 * Selects the number of waiting jobs for each queue and state, and the seconds since the oldest was created, which is when it was first
 * due. A failed attempt moves `start_after` into the future, so the time since then would stay small for as long as every attempt fails.
 */
export const waitingJobs = statement<{ queue: string; state: string; jobs: number; ageSeconds: number }, []>(
  'waiting_jobs',
  // The comparison of the state and `NOT blocked` are those of pg-boss's index, which has no finished jobs.
  `SELECT q.name AS queue, s.state, count(j.id)::int AS jobs,
     GREATEST(extract(epoch FROM now() - min(j.created_on)), 0)::float8 AS "ageSeconds"
   FROM ${queueSchema}.queue q CROSS JOIN unnest(ARRAY['created', 'retry']) AS s(state)
     LEFT JOIN ${queueSchema}.job j ON j.name = q.name AND j.state < 'active' AND NOT j.blocked AND j.state::text = s.state
   WHERE left(q.name, 2) <> '__' GROUP BY q.name, s.state`,
)

/** Selects the seconds since each current signing key began to sign. */
export const keyAges = statement<{ algorithm: string; seconds: number }, []>(
  'signing_key_ages',
  `SELECT algorithm, extract(epoch FROM now() - max(signs_from))::float8 AS seconds FROM signing_keys
   WHERE signs_from <= now() AND (retired_at IS NULL OR retired_at > now()) GROUP BY algorithm`,
)

/** Selects the number of teams' clients that wait for a review. */
export const waitingClients = statement<{ count: number }, []>(
  'clients_waiting_for_review',
  `SELECT count(*)::int AS count FROM oauth_clients WHERE state = 'submitted' OR proposed_changes IS NOT NULL`,
)

const readMilliseconds = 500

/**
 * Returns a function that shares its reads between callers. It resolves with no rows if a read fails or takes too long, so that the metrics
 * of a process do not wait for its database.
 */
export function shareReads<Row>(read: () => Promise<Row[]>): () => Promise<Row[]> {
  let reading: Promise<Row[]> | undefined
  return () => {
    reading ??= read()
      .catch(() => [])
      .finally(() => (reading = undefined))
    return Promise.race([reading, pause(readMilliseconds, [], { ref: false })])
  }
}

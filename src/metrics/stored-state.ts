import { setTimeout as pause } from 'node:timers/promises'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { certificatesPage, readCertificateEnds, stateOfCertificate } from '../../schema/identity-providers/saml/certificate-ends.ts'
import type { CertificateState, ProviderCertificates } from '../../schema/identity-providers/saml/certificate-ends.ts'
import { isWaitingForReview } from '../../schema/oauth/clients/client.ts'
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
  `SELECT count(*)::int AS count FROM oauth_clients c WHERE ${isWaitingForReview('c')}`,
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

const page = statement<ProviderCertificates, [after: string]>('identity_provider_certificates', certificatesPage)

/** Returns the number of SAML providers of each state. */
export async function countCertificates(pool: StatementPool, now: Date): Promise<Record<CertificateState, number>> {
  const counts = { valid: 0, ending: 0, ended: 0 }
  for await (const { endsAt } of readCertificateEnds((after) => page(pool, after))) counts[stateOfCertificate(endsAt, now)]++
  return counts
}

const hourMilliseconds = 3_600_000
const firstReadMilliseconds = 500

/** Returns a function that reads at most once an hour and returns the last value; undefined while a first read fails or is slow. */
export function hourly<Value>(read: () => Promise<Value>): () => Promise<Value | undefined> {
  let last: { value: Value; at: number } | undefined
  let reading: Promise<void> | undefined
  return async () => {
    if (!last || performance.now() - last.at > hourMilliseconds)
      reading ??= read()
        .then((value) => void (last = { value, at: performance.now() }))
        // The previous value is used until a read succeeds, because certificates end on a day.
        .catch(() => {})
        .finally(() => (reading = undefined))
    if (!last) await Promise.race([reading, pause(firstReadMilliseconds, undefined, { ref: false })])
    return last?.value
  }
}

import { advisoryLocks } from '../../../prisma/advisory-locks.ts'
import { isUnavailable } from '../../../prisma/availability.ts'
import type { Database } from '../../../prisma/client.ts'
import { statement } from '../../../prisma/statement.ts'
import { eraseTeams } from '../../../schema/teams/deletion.ts'
import { anonymousKinds } from './anonymous-models.ts'
import { everyMinute } from '../../jobs/every-minute.ts'
import type { PeriodicWork } from '../../jobs/every-minute.ts'

// Deletes expired rows in batches, so that no statement takes long or locks many rows. Only one process does so at a time.
const batchSize = 1000
/** How many anonymous models of each kind are kept. Each takes about 2 KB. */
const maxAnonymousModels = 20_000

/** Deletes a batch of a table's rows that meet a condition, in which $1 is the current time. Returns how many. */
const batchOf = (table: string, key: string, condition: string, name = table) =>
  statement<{ count: number }, [now: Date]>(
    `clean_up_${name}`,
    // ARRAY makes PostgreSQL select the rows once. With a plain sub-select the planner may select others for every row.
    `WITH deleted AS (DELETE FROM ${table} WHERE ${key} = ANY (ARRAY(
       SELECT ${key} FROM ${table} WHERE (SELECT pg_try_advisory_xact_lock(${advisoryLocks.cleanup})) AND (${condition}) LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
     )) RETURNING 1) SELECT count(*)::int AS count FROM deleted`,
  )

const isExpired = `expires_at < $1::timestamptz - interval '10 minutes'`

const batches = [
  // Before the models: a chain is deleted together with the last of its codes and tokens.
  batchOf(
    'token_chains',
    'id',
    `id IN (SELECT e.chain_id FROM oidc_models e WHERE e.${isExpired}
       AND NOT EXISTS (SELECT 1 FROM oidc_models m WHERE m.chain_id = e.chain_id AND NOT m.${isExpired}))`,
  ),
  // An unknown code or token is refused like an expired one. Its stored response is deleted with it.
  batchOf('oidc_models', 'id_hash', isExpired),
  // Only the latest anonymous models are kept, however many networks they come from.
  ...anonymousKinds.map((kind) =>
    batchOf(
      'oidc_models',
      'id_hash',
      `network_hash IS NOT NULL AND kind = '${kind}' AND expires_at <= (SELECT expires_at FROM oidc_models
        WHERE network_hash IS NOT NULL AND kind = '${kind}' AND $1::timestamptz IS NOT NULL
        ORDER BY expires_at DESC OFFSET ${maxAnonymousModels} LIMIT 1)`,
      `anonymous_${kind}`,
    ),
  ),
  // Out of every replay window: these are at most two minutes.
  batchOf('token_responses', 'model_hash', `delivered_at < $1::timestamptz - interval '10 minutes'`),
  // Ended grants stay for 30 days, so that they can still be looked up.
  batchOf('oauth_grants', 'id', `least(expires_at, revoked_at) < $1::timestamptz - interval '30 days'`),
  batchOf('oauth_client_secrets', 'id', `expires_at < $1::timestamptz - interval '30 days'`),
  // Longer than the mail in the outbox, which reads the recipient from this row and is listed for two weeks.
  batchOf('mail_links', 'id', `expires_at < $1::timestamptz - interval '15 days'`),
  batchOf('trusted_devices', 'id', 'expires_at < $1'),
  batchOf('idempotency_keys', 'key_hash', 'expires_at < $1'),
  // Their times are the database's, from which the clock of this process may differ.
  batchOf('request_counts', 'credential_id', `ends_at < $1::timestamptz - interval '10 minutes'`),
  eraseTeams,
  batchOf('attempt_counts', 'key', `expire < (extract(epoch FROM $1::timestamptz) * 1000)::bigint`),
]

interface CleanupPorts {
  database: Database
  now(): Date
  report(error: unknown): void
}

/**
 * Deletes expired rows and erases deleted teams while the service runs. A run returns how many. Errors are reported; the next run is
 * a minute later.
 */
export function createCleanup({ database, now, report }: CleanupPorts): PeriodicWork<number> {
  async function cleanUp(isClosing: () => boolean): Promise<number> {
    let total = 0
    const time = now()
    for (const batch of batches) {
      for (;;) {
        const count = await deleteBatch(batch, time)
        total += count
        if (isClosing()) return total
        if (count < batchSize) break
      }
    }
    return total
  }

  async function deleteBatch(batch: (typeof batches)[number], time: Date): Promise<number> {
    try {
      const [row] = await batch(database.pool, time)
      return row?.count ?? 0
    } catch (error) {
      // Requests report an unavailable database already.
      if (!isUnavailable(error)) report(error)
      return 0
    }
  }

  return everyMinute({ name: 'cleanup', database, report }, cleanUp)
}

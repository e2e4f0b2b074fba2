import { advisoryLocks } from '../../../prisma/advisory-locks.ts'
import { isUnavailable } from '../../../prisma/availability.ts'
import type { Database } from '../../../prisma/client.ts'
import { statement } from '../../../prisma/statement.ts'

// What is of no more use leaves the database by itself, a batch at a time, so that no statement holds many rows or
// takes long. Of several processes one is at it.
const batchSize = 1000
const minute = 60_000

/** Deletes a batch of a table's rows for which this holds at the instant $1; answers how many. */
const batchOf = (table: string, key: string, isOver: string) =>
  statement<{ count: number }, [now: Date]>(
    `clean_up_${table}`,
    // As an array the rows are chosen once; as a sub-select the planner may choose again, and others, for every row.
    `WITH gone AS (DELETE FROM ${table} WHERE ${key} = ANY (ARRAY(
       SELECT ${key} FROM ${table} WHERE (SELECT pg_try_advisory_xact_lock(${advisoryLocks.cleanup})) AND (${isOver}) LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
     )) RETURNING 1) SELECT count(*)::int AS count FROM gone`,
  )

const batches = [
  // A code or token that is not there is refused as one that has ended. Its answer goes with it, delivered or not.
  batchOf('oauth_artifacts', 'id_hash', `expires_at < $1::timestamptz - interval '10 minutes'`),
  // Nobody may ask for it again: a client's replay window is at most two minutes.
  batchOf('oauth_answers', 'artifact_hash', `delivered_at < $1::timestamptz - interval '10 minutes'`),
  // For a while the owner of a team or the person may look for what is over.
  batchOf('oauth_grants', 'id', `least(expires_at, revoked_at) < $1::timestamptz - interval '30 days'`),
  batchOf('oauth_client_secrets', 'id', `expires_at < $1::timestamptz - interval '30 days'`),
  // Outlives its mail in the outbox, which shows operators for two weeks whom it went to.
  batchOf('mail_links', 'id', `expires_at < $1::timestamptz - interval '15 days'`),
  batchOf('guess_counts', 'key', `expire < (extract(epoch FROM $1::timestamptz) * 1000)::bigint`),
]

interface CleanupPorts {
  database: Database
  now(): Date
  report(error: unknown): void
}

export interface Cleanup {
  /** Cleans up every minute from now on, first after a random part of one: processes are often started together. */
  start(): void
  /** Cleans up now; answers how many rows were deleted. */
  run(): Promise<number>
  /** Ends when the batch under way has. */
  close(): Promise<void>
}

/** Deletes expired rows for as long as the service runs. What fails is reported and tried again a minute later. */
export function createCleanup({ database, now, report }: CleanupPorts): Cleanup {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<number> | null = null
  let isClosing = false

  async function cleanUp(): Promise<number> {
    let total = 0
    for (const batch of batches) {
      for (;;) {
        const count = await deleted(batch)
        total += count
        if (isClosing) return total
        if (count < batchSize) break
      }
    }
    return total
  }

  async function deleted(batch: (typeof batches)[number]): Promise<number> {
    try {
      const [row] = await batch(database.pool, now())
      return row?.count ?? 0
    } catch (error) {
      // A database that is away is what every request tells of.
      if (!isUnavailable(error)) report(error)
      return 0
    }
  }

  const run = () => (running ??= cleanUp().finally(() => (running = null)))
  function schedule(milliseconds: number): void {
    if (isClosing) return
    timer = setTimeout(() => void run().then(() => schedule(minute)), milliseconds).unref()
  }

  return {
    start: () => schedule(Math.random() * minute),
    run,
    async close() {
      isClosing = true
      clearTimeout(timer)
      await running
    },
  }
}

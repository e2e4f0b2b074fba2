import { CancelledError } from './cancellation.ts'
import type { ServicePool } from './pool.ts'
import type { StatementPool } from './statement-pool.ts'

/** A replica in the form in which a request uses it. */
export interface ReplicaReader {
  /** Returns a pool for the replica, which uses the primary if the replica fails. Returns `primary` if the replica lags. */
  readerOr(primary: StatementPool): StatementPool
}

const checkMilliseconds = 1000
/** Time for which the result of a check is valid if the next check takes longer. */
const freshMilliseconds = 3000

/**
 * A streaming standby of the database. It is used only if it has replayed everything that was committed one second before the last check,
 * so its data is at most four seconds old (docs/operations/postgresql.md#read-replica).
 */
export class Replica implements ReplicaReader {
  readonly #pool: ServicePool
  readonly #primary: ServicePool
  readonly #timer: NodeJS.Timeout
  #isChecking = false
  /** Position of the primary at the last check. */
  #position: string | null = null
  #freshUntil = 0

  constructor(pool: ServicePool, primary: ServicePool) {
    this.#pool = pool
    this.#primary = primary
    pool.on('error', () => {})
    pool.on('connect', (connection) => void connection.on('error', () => {}))
    this.#timer = setInterval(() => void this.#check(), checkMilliseconds).unref()
  }

  readerOr(primary: StatementPool): StatementPool {
    if (performance.now() >= this.#freshUntil) return primary
    return {
      execute: async (statement, values, isCancelled) => {
        try {
          return await this.#pool.execute(statement, values, isCancelled)
        } catch (error) {
          if (error instanceof CancelledError) throw error
          this.#freshUntil = 0
          return primary.execute(statement, values, isCancelled)
        }
      },
      query: (config) => primary.query(config),
      connect: () => primary.connect(),
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#pool.end()
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const startedAt = performance.now()
    try {
      const { rows } = await this.#primary.query<{ position: string }>('SELECT pg_current_wal_lsn()::text AS position')
      const expected = this.#position
      this.#position = rows[0]?.position ?? null
      if (expected !== null && (await this.#has(expected))) this.#freshUntil = startedAt + freshMilliseconds
    } catch {
      // The result of the last check stays valid until `freshUntil`.
    } finally {
      this.#isChecking = false
    }
  }

  async #has(position: string): Promise<boolean> {
    const { rows } = await this.#pool.query<{ is_fresh: boolean | null }>(
      'SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn AS is_fresh',
      [position],
    )
    return rows[0]?.is_fresh === true
  }
}

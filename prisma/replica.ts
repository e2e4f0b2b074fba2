import type pg from 'pg'
import type { ServicePool } from './join-transaction.ts'

const checkMilliseconds = 1000
/** How long a check counts, if the next one takes longer. */
const freshMilliseconds = 3000

/**
 * A streaming standby of the database. It is used only while it has everything that was committed a second before its last check, and so
 * lags at most four seconds (docs/operations/postgresql.md#read-replica).
 */
export class Replica {
  readonly #pool: ServicePool
  readonly #primary: ServicePool
  readonly #timer: NodeJS.Timeout
  #isChecking = false
  /** The position of the primary at the last check. */
  #position: string | null = null
  #freshUntil = 0

  constructor(pool: ServicePool, primary: ServicePool) {
    this.#pool = pool
    this.#primary = primary
    pool.on('error', () => {})
    pool.on('connect', (connection) => void connection.on('error', () => {}))
    this.#timer = setInterval(() => void this.#check(), checkMilliseconds).unref()
  }

  /** A pool that executes statements on the replica, and on the primary if that fails. The given one unless the replica is fresh. */
  readerOr(primary: pg.Pool): pg.Pool {
    if (performance.now() >= this.#freshUntil) return primary
    const execute: ServicePool['execute'] = async (statement, values) => {
      try {
        return await this.#pool.execute(statement, values)
      } catch {
        this.#freshUntil = 0
        return this.#primary.execute(statement, values)
      }
    }
    const pool: ServicePool = Object.create(this.#primary)
    return Object.assign(pool, { execute })
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
      // The last check counts until its time has passed.
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

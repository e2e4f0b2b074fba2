import type pg from 'pg'
import type { IsCancelled } from './cancellation.ts'
import { Lease } from './lease.ts'
import { executeOn } from './prepared-statement.ts'
import type { PreparedStatement } from './prepared-statement.ts'

/** In measurements, two connections were enough for one process. Four prevent a slow statement from delaying all others. */
const maximumShared = 4

/**
 * Executes prepared statements on connections that it borrows from the pool, so that the pool's size, timeouts and closing apply
 * (docs/decisions/database.md#shared-connections). With one connection per statement, half of the time of a list request was spent in the driver
 * and in PostgreSQL's switching between processes.
 */
export class SharedConnections {
  readonly #pool: pg.Pool
  readonly #timeoutMilliseconds: number | undefined
  readonly #shared = new Set<Lease>()

  constructor(pool: pg.Pool, timeoutMilliseconds: number | undefined) {
    this.#pool = pool
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  /**
   * Executes a statement on the shared connection with the fewest statements, or on its own connection. If the request is cancelled,
   * rejects, and cancels the statement unless the connection has statements of other requests.
   */
  execute<Row>(statement: PreparedStatement, values: readonly unknown[], isCancelled?: IsCancelled): Promise<Row[]> {
    const lease = statement.isShared ? this.#sharedLease() : new Lease(this.#pool, this.#timeoutMilliseconds)
    return lease.execute((client) => executeOn(client, statement, values), isCancelled)
  }

  /** Returns connections without statements to the pool at once, for a caller that needs one. */
  returnIdleConnections(): void {
    for (const lease of this.#shared) lease.release()
  }

  /** Selects a connection: preferably without statements, then another one, then a fast one, then the one with the fewest. */
  #sharedLease(): Lease {
    let least: Lease | undefined
    for (const lease of this.#shared) if (!least || isBefore(lease, least)) least = lease
    if (least && (least.load === 0 || !this.#hasFreeConnection())) return least
    if (!least || this.#shared.size < Math.min(maximumShared, Math.floor(this.#pool.options.max / 2))) return this.#open()
    // If all shared connections execute slow statements, this one does not wait for them.
    return least.isStalled ? new Lease(this.#pool, this.#timeoutMilliseconds) : least
  }

  #open(): Lease {
    const lease = new Lease(this.#pool, this.#timeoutMilliseconds, () => this.#shared.delete(lease))
    this.#shared.add(lease)
    return lease
  }

  /** Returns true if the pool has a connection for which no other caller waits. */
  #hasFreeConnection(): boolean {
    const { options, waitingCount, idleCount, totalCount } = this.#pool
    return waitingCount === 0 && (idleCount > 0 || totalCount < options.max)
  }
}

function isBefore(a: Lease, b: Lease): boolean {
  if (a.isStalled !== b.isStalled) return b.isStalled
  return a.isSlow === b.isSlow ? a.load < b.load : b.isSlow
}

import type pg from 'pg'
import { executeOn } from './hot-query.ts'
import type { PreparedStatement } from './hot-query.ts'

/** Measured: two connections are enough for one process; four keep a slow statement from delaying all others. */
const maximumShared = 4

/** A connection that has not answered for this long accepts further statements only if the pool has no other. */
const stalledMilliseconds = 50

/**
 * Executes hot statements on connections that it borrows from the pool, so that the pool's size, timeouts and closing apply
 * (docs/decisions/database.md#shared-connections).
 */
export class HotStatements {
  readonly #pool: pg.Pool
  readonly #timeoutMilliseconds: number | undefined
  readonly #shared = new Set<Lease>()

  constructor(pool: pg.Pool, timeoutMilliseconds: number | undefined) {
    this.#pool = pool
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  /** Executes a statement on the shared connection with the fewest statements, or on a connection of its own. */
  execute<Row>(statement: PreparedStatement<Row>, values: readonly unknown[]): Promise<Row[]> {
    const lease = statement.isShared ? this.#sharedLease() : new Lease(this.#pool, this.#timeoutMilliseconds)
    return lease.execute(statement, values)
  }

  /** Returns connections on which no statement is left to the pool at once, for a caller that needs one. */
  returnIdleConnections(): void {
    for (const lease of this.#shared) lease.release()
  }

  /** Prefers a connection without statements, then a further one, then the one with the fewest. */
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

  /** Whether the pool has a connection that no other caller waits for. */
  #hasFreeConnection(): boolean {
    const { options, waitingCount, idleCount, totalCount } = this.#pool
    return waitingCount === 0 && (idleCount > 0 || totalCount < options.max)
  }
}

const isBefore = (a: Lease, b: Lease) => (a.isStalled === b.isStalled ? a.load < b.load : b.isStalled)

/** A connection that is borrowed from the pool until no statement is left. */
class Lease {
  /** The number of unfinished statements. */
  load = 0
  readonly #connecting: Promise<pg.PoolClient>
  readonly #timeoutMilliseconds: number | undefined
  readonly #onLeave: (() => void) | undefined
  /** When each unanswered statement was sent, oldest first, which is the order of the answers. */
  readonly #sentAt: number[] = []
  #answeredAt = 0
  #client: pg.PoolClient | undefined
  #timer: NodeJS.Timeout | undefined
  #hasFailed = false

  /** `onLeave` is called when the connection accepts no further statements. */
  constructor(pool: pg.Pool, timeoutMilliseconds: number | undefined, onLeave?: () => void) {
    this.#connecting = pool.connect()
    this.#timeoutMilliseconds = timeoutMilliseconds
    this.#onLeave = onLeave
  }

  async execute<Row>(statement: PreparedStatement<Row>, values: readonly unknown[]): Promise<Row[]> {
    this.load++
    try {
      const client = (this.#client ??= await this.#connecting)
      return await this.#send(client, statement, values)
    } catch (error) {
      // As with `pool.query`, the pool closes a connection with an error. Statements that were sent before are still answered.
      this.#hasFailed = true
      this.#onLeave?.()
      throw error
    } finally {
      this.load--
      // Another statement often follows in the same turn of the event loop. Returning the connection in between cost a third.
      if (this.load === 0 && this.#onLeave) setImmediate(() => this.release())
      else this.release()
    }
  }

  async #send<Row>(client: pg.PoolClient, statement: PreparedStatement<Row>, values: readonly unknown[]): Promise<Row[]> {
    this.#sentAt.push(performance.now())
    this.#timer ??= this.#watch()
    try {
      return await executeOn(client, statement, values)
    } finally {
      this.#sentAt.shift()
      this.#answeredAt = performance.now()
    }
  }

  /** The time in milliseconds for which PostgreSQL has owed an answer; undefined if it owes none. */
  get #silence(): number | undefined {
    const [oldest] = this.#sentAt
    return oldest === undefined ? undefined : performance.now() - Math.max(oldest, this.#answeredAt)
  }

  get isStalled(): boolean {
    return (this.#silence ?? 0) > stalledMilliseconds
  }

  /**
   * Closes the connection when an answer is not there in time. The socket's own timer does not serve here, since each further
   * statement that is sent restarts it, even if the server is silent.
   */
  #watch(): NodeJS.Timeout | undefined {
    const silence = this.#silence
    if (this.#timeoutMilliseconds === undefined || silence === undefined) return undefined
    const remaining = this.#timeoutMilliseconds - silence
    if (remaining > 0) return setTimeout(() => (this.#timer = this.#watch()), remaining)
    this.#client?.connection.stream.destroy(new Error('Query read timeout'))
    return undefined
  }

  /** Returns the connection to the pool unless statements are left. */
  release(): void {
    const client = this.#client
    if (this.load > 0 || !client) return
    this.#client = undefined
    this.#onLeave?.()
    clearTimeout(this.#timer)
    client.release(this.#hasFailed)
  }
}

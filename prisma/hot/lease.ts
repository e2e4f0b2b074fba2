import type pg from 'pg'
import { requestCancel } from './request-cancel.ts'
import { executeOn } from './hot-query.ts'
import type { PreparedStatement } from './hot-query.ts'

/** A connection that has not answered for this long accepts further statements only if the pool has no other. */
const stalledMilliseconds = 50

/** A connection that is borrowed from the pool until no statement is left. */
export class Lease {
  /** The number of unfinished statements. */
  load = 0
  readonly #connecting: Promise<pg.PoolClient>
  readonly #timeoutMilliseconds: number | undefined
  readonly #onLeave: (() => void) | undefined
  /** The unanswered statements, oldest first, which is the order of the answers. */
  readonly #sent: { at: number; signal: AbortSignal | undefined }[] = []
  #answeredAt = 0
  #client: pg.PoolClient | undefined
  #timer: NodeJS.Timeout | undefined
  #hasFailed = false
  #isCancelled = false

  /** `onLeave` is called when the connection accepts no further statements. */
  constructor(pool: pg.Pool, timeoutMilliseconds: number | undefined, onLeave?: () => void) {
    this.#connecting = pool.connect()
    this.#timeoutMilliseconds = timeoutMilliseconds
    this.#onLeave = onLeave
  }

  /** Executes a statement whose result nobody needs any more once the signal is aborted. */
  async executeUntil<Row>(statement: PreparedStatement<Row>, values: readonly unknown[], signal: AbortSignal): Promise<Row[]> {
    // Most statements end before they would be cancelled.
    const cancelSoon = () => setTimeout(() => this.#cancelAbandoned(), stalledMilliseconds)
    signal.addEventListener('abort', cancelSoon)
    try {
      return await this.execute(statement, values, signal)
    } finally {
      signal.removeEventListener('abort', cancelSoon)
      signal.throwIfAborted()
    }
  }

  async execute<Row>(statement: PreparedStatement<Row>, values: readonly unknown[], signal?: AbortSignal): Promise<Row[]> {
    this.load++
    try {
      const client = (this.#client ??= await this.#connecting)
      signal?.throwIfAborted()
      return await this.#send(client, statement, values, signal)
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

  async #send<Row>(
    client: pg.PoolClient,
    statement: PreparedStatement<Row>,
    values: readonly unknown[],
    signal: AbortSignal | undefined,
  ): Promise<Row[]> {
    this.#sent.push({ at: performance.now(), signal })
    this.#timer ??= this.#watch()
    try {
      return await executeOn(client, statement, values)
    } finally {
      this.#sent.shift()
      this.#answeredAt = performance.now()
      if (this.#isCancelled) this.#cancelAbandoned()
    }
  }

  /**
   * Cancels the statement in progress if nobody needs any of those on this connection. Which one PostgreSQL is executing when the
   * request to cancel arrives is unknown, so the connection accepts no others before, and is closed afterwards.
   */
  #cancelAbandoned(): void {
    const isAbandoned = this.#sent.length > 0 && this.#sent.length === this.load && this.#sent.every(({ signal }) => signal?.aborted)
    if (!isAbandoned || !this.#client) return
    this.#isCancelled = true
    this.#hasFailed = true
    this.#onLeave?.()
    requestCancel(this.#client)
  }

  /** The time in milliseconds for which PostgreSQL has owed an answer; undefined if it owes none. */
  get #silence(): number | undefined {
    const [oldest] = this.#sent
    return oldest === undefined ? undefined : performance.now() - Math.max(oldest.at, this.#answeredAt)
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

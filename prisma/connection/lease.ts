import type pg from 'pg'
import { CancelledError } from './cancellation.ts'
import type { IsCancelled } from './cancellation.ts'
import { requestCancel } from './request-cancel.ts'

/**
 * Milliseconds without a response after which a connection accepts further statements only if the pool has no other, and its statements are
 * cancelled with their requests. Most statements end earlier.
 */
const stalledMilliseconds = 50

/**
 * Milliseconds without a response after which a connection gets further statements only if the others are as slow. PostgreSQL executes most
 * statements in less time, but while all processors are busy, the kernel lets some sessions wait for tens of milliseconds.
 */
const slowMilliseconds = 1

/** Sends a statement. */
type Send<Result> = (client: pg.PoolClient) => Promise<Result>

const never: IsCancelled = () => false

/** A connection that is borrowed from the pool until no statement is left. */
export class Lease {
  /** Number of unfinished statements. */
  load = 0
  readonly #connecting: Promise<pg.PoolClient>
  readonly #timeoutMilliseconds: number | undefined
  readonly #onLeave: (() => void) | undefined
  /** The statements without a response, oldest first, which is the order of the responses. */
  readonly #sent: { at: number; isCancelled: IsCancelled }[] = []
  #answeredAt = 0
  #client: pg.PoolClient | undefined
  #timer: NodeJS.Timeout | undefined
  #hasFailed = false
  #hasRequestedCancel = false

  /** `onLeave` is called when the connection accepts no further statements. */
  constructor(pool: pg.Pool, timeoutMilliseconds: number | undefined, onLeave?: () => void) {
    this.#connecting = pool.connect()
    this.#timeoutMilliseconds = timeoutMilliseconds
    this.#onLeave = onLeave
  }

  /** Rejects with a `CancelledError` if the request is cancelled before the statement has succeeded. */
  async execute<Result>(send: Send<Result>, isCancelled = never): Promise<Result> {
    this.load++
    try {
      const client = (this.#client ??= await this.#connecting)
      if (!isCancelled()) return await this.#send(client, send, isCancelled)
    } catch (error) {
      // As with `pool.query`, the pool closes a connection with an error. Statements that were sent before still get their responses.
      this.#hasFailed = true
      this.#onLeave?.()
      if (!isCancelled()) throw error
    } finally {
      this.load--
      // Another statement often follows in the same turn of the event loop. Returning the connection in between cost a third more time.
      if (this.load === 0 && this.#onLeave) setImmediate(() => this.release())
      else this.release()
    }
    throw new CancelledError()
  }

  async #send<Result>(client: pg.PoolClient, send: Send<Result>, isCancelled: IsCancelled): Promise<Result> {
    this.#sent.push({ at: performance.now(), isCancelled })
    this.#timer ??= this.#watch()
    try {
      return await send(client)
    } finally {
      this.#sent.shift()
      this.#answeredAt = performance.now()
      if (this.#hasRequestedCancel) this.#cancelUseless()
    }
  }

  /**
   * Cancels the statement in progress if the requests of all statements on this connection are cancelled. It is unknown which statement
   * PostgreSQL executes when the request to cancel arrives, so the connection accepts no further ones, and is closed afterwards.
   */
  #cancelUseless(): void {
    const isUseless = this.#sent.length > 0 && this.#sent.length === this.load && this.#sent.every(({ isCancelled }) => isCancelled())
    if (!isUseless || !this.#client) return
    this.#hasRequestedCancel = true
    this.#hasFailed = true
    this.#onLeave?.()
    requestCancel(this.#client)
  }

  /** Milliseconds since the last response while statements wait for one; undefined if none do. */
  get #silence(): number | undefined {
    const [oldest] = this.#sent
    return oldest === undefined ? undefined : performance.now() - Math.max(oldest.at, this.#answeredAt)
  }

  get isSlow(): boolean {
    return (this.#silence ?? 0) > slowMilliseconds
  }

  get isStalled(): boolean {
    return (this.#silence ?? 0) > stalledMilliseconds
  }

  /**
   * While statements wait for responses, checks at intervals whether to cancel them, and closes the connection if no response arrives in
   * time. The socket's own timer cannot do that, because each further statement restarts it, even if the server is silent. One timer for
   * all statements costs less than a listener for each.
   */
  #watch(): NodeJS.Timeout | undefined {
    const silence = this.#silence
    if (silence === undefined) return undefined
    if (silence >= (this.#timeoutMilliseconds ?? Infinity)) {
      this.#client?.connection.stream.destroy(new Error('Query read timeout'))
      return undefined
    }
    if (this.isStalled && !this.#hasRequestedCancel) this.#cancelUseless()
    return setTimeout(() => (this.#timer = this.#watch()), stalledMilliseconds)
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

import { windowSeconds } from './request-count-exchange.ts'
import type { SharedCount } from './request-count-exchange.ts'

const windowMilliseconds = windowSeconds * 1000
/** Time after which counts are sent, unused reservations are returned, and the last result of the database is outdated. */
export const exchangeMilliseconds = 1000

export interface Limits {
  /** Quota of requests per credential and window. */
  quota: number
  /** Requests that a process may serve before it counts them in the database. */
  maxUncounted: number
  /** Requests that a process may reserve at once. */
  maxReserved: number
}

/** A process's data about the requests of a credential in the current window. Times are in milliseconds. */
export class RequestCount {
  readonly id: string
  readonly #limits: Limits
  /** Requests of all processes, served or reserved, in the last result of the database. */
  #shared = 0
  #respondedAt = -Infinity
  /** Requests that this process has reserved in the database and not served yet, and their number after the last result. */
  #reserved = 0
  #lastReserved = 0
  /** Requests that this process has served in the window, and the time of the last one. */
  #served = 0
  #servedAt = 0
  #endsAt: number
  /** Served requests that the database has not counted: those not yet sent, and those being sent. */
  #unsent = 0
  #sending = 0
  #isReserving = false
  /** Requests that wait for a reservation. */
  waiting = 0

  constructor(id: string, limits: Limits, time: number) {
    this.id = id
    this.#limits = limits
    this.#endsAt = time + windowMilliseconds
  }

  /** Returns true if the window has ended. The second condition is true after the clock was set back. */
  isOver(time: number): boolean {
    return time >= this.#endsAt || this.#endsAt > time + 2 * windowMilliseconds
  }

  /** Starts another window. */
  restart(time: number): void {
    this.#shared = this.#reserved = this.#lastReserved = this.#served = this.#servedAt = 0
    this.#respondedAt = -Infinity
    this.#endsAt = time + windowMilliseconds
  }

  get #uncounted(): number {
    return this.#unsent + this.#sending
  }

  /** True if the object can be discarded because the next window needs nothing from it. */
  get isEmpty(): boolean {
    return this.#uncounted + this.waiting === 0
  }

  /** True if counts must be sent, now or when the credential is idle. */
  get isPending(): boolean {
    return this.#unsent + this.#reserved + this.waiting > 0
  }

  /** True if most of the reserved requests are served. */
  get isLow(): boolean {
    return this.#lastReserved > 0 && this.#reserved * 4 <= this.#lastReserved
  }

  /** Returns true if the last result of the database is recent. */
  isCurrent(time: number): boolean {
    return time - this.#respondedAt < exchangeMilliseconds
  }

  get remaining(): number {
    return Math.max(this.#limits.quota - this.#shared - this.#uncounted + this.#reserved, 0)
  }

  secondsLeft(time: number): number {
    return Math.ceil((this.#endsAt - time) / 1000)
  }

  /**
   * Serves requests, all or none, that are reserved or may be counted later. Returns true if it did. While the database is unavailable, all
   * requests within the quota are counted later.
   */
  serve(time: number, isUnavailable: boolean, requests = 1): boolean {
    const reserved = Math.min(this.#reserved, requests)
    const unreserved = requests - reserved
    const mayCountLater = isUnavailable || (!this.#isReserving && this.#uncounted + unreserved <= this.#limits.maxUncounted)
    if (unreserved > 0 && !(mayCountLater && this.#shared + this.#uncounted + unreserved <= this.#limits.quota)) return false
    this.#reserved -= reserved
    this.#unsent += unreserved
    this.#served += requests
    this.#servedAt = time
    return true
  }

  /** Returns requests that were served a moment ago. They are counted already, so they are equivalent to reserved ones. */
  giveBack(requests: number): void {
    this.#reserved += requests
    this.#served -= requests
  }

  /** Returns the counts to send to the database. They are in `#sending` until `endSending`. */
  startSending(time: number, isClosing: boolean): { count: RequestCount; added: number; unused: number; requested: number } {
    const change = { count: this, unused: this.#takeUnused(time, isClosing), added: this.#unsent, requested: this.#computeRequested() }
    this.#sending = this.#unsent
    this.#unsent = 0
    this.#isReserving = change.requested > 0
    return change
  }

  endSending(): void {
    this.#sending = 0
    this.#isReserving = false
  }

  /** Restores the counts of `startSending` after the database could not be reached. */
  restore(unused: number): void {
    this.#unsent += this.#sending
    this.#reserved += unused
    this.#shared += unused
  }

  receive({ requests, reserved, secondsLeft }: SharedCount, time: number): void {
    const endsAt = time + Math.min(secondsLeft, windowSeconds) * 1000
    // The database has started another window, in which nothing is reserved. A slow response moves the end by less than a window.
    if (endsAt > this.#endsAt + windowMilliseconds / 2) this.#reserved = this.#served = 0
    this.#reserved += reserved
    this.#lastReserved = this.#reserved
    this.#shared = requests
    this.#respondedAt = time
    this.#endsAt = endsAt
  }

  /** Returns the number of requests to reserve. It grows with this process's share of all requests and with the remaining quota. */
  #computeRequested(): number {
    if (this.waiting === 0 && !this.isLow) return 0
    const left = Math.max(this.#limits.quota - this.#shared - this.#unsent, 0)
    const part = Math.min(1, left / (4 * Math.max(this.#shared, this.#served)))
    return Math.max(this.waiting, Math.min(this.#limits.maxReserved, Math.floor(this.#served * part)))
  }

  /** Returns reservations that were not used for a while, except shortly before the window ends, because they expire with it. */
  #takeUnused(time: number, isClosing: boolean): number {
    const isIdle = this.waiting === 0 && time - this.#servedAt >= exchangeMilliseconds
    if (!(isIdle || isClosing) || this.#endsAt - time < exchangeMilliseconds) return 0
    const unused = this.#reserved
    this.#reserved = this.#lastReserved = 0
    this.#shared -= unused
    return unused
  }
}

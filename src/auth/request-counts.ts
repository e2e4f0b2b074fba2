import { isUnavailable } from '../../prisma/availability.ts'
import type { Database } from '../../prisma/client.ts'
import { exchangeCounts, windowSeconds } from './request-count-exchange.ts'
import type { SharedCount } from './request-count-exchange.ts'

const windowMilliseconds = windowSeconds * 1000
/** After this time counts are sent, unused reservations are returned, and what the database has answered is out of date. */
const exchangeMilliseconds = 1000

/** The part of the quota that a process may serve before it counts it in the database: 10 % for 32 processes together. */
const uncountedPart = 1 / 320
/** The part of the quota that a process may reserve at once. */
const reservedPart = 1 / 40

/** What a process knows about the requests of a credential in the present window. */
interface RequestCount {
  readonly id: string
  /** Requests of all processes, served or reserved, as the database last answered. */
  shared: number
  answeredAt: number
  /** Requests that this process has reserved in the database and not served yet, and how many it had after the last answer. */
  reserved: number
  lastReserved: number
  /** Requests that this process has served in the window, and when it served the last one. */
  served: number
  servedAt: number
  endsAt: number
  /** Served requests that the database does not contain: not yet sent, and on the way. */
  unsent: number
  sending: number
  /** Requests that wait for a reservation, and whether one is on the way. */
  waiting: number
  isReserving: boolean
}

export interface RequestCountPorts {
  database: Database
  now(): Date
  report(error: unknown): void
  /** Requests per credential and minute. */
  quota: number
}

/**
 * Counts the requests of each credential for all processes together, without a statement per request
 * (docs/decisions/errors.md#request-limit).
 */
export function createRequestCounts({ database, now, report, quota }: RequestCountPorts) {
  const maxUncounted = Math.floor(quota * uncountedPart)
  const maxReserved = Math.max(1, Math.floor(quota * reservedPart))
  const counts = new Map<string, RequestCount>()
  /** The counts that have something to send, now or when they are idle. */
  const pending = new Set<RequestCount>()
  let exchanging: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let unavailableUntil = 0
  let isClosing = false

  const time = () => now().getTime()
  const uncounted = ({ unsent, sending }: RequestCount) => unsent + sending
  // The second condition is true after the clock was set back.
  const isOver = ({ endsAt }: RequestCount) => time() >= endsAt || endsAt > time() + 2 * windowMilliseconds
  const isLow = ({ reserved, lastReserved }: RequestCount) => lastReserved > 0 && reserved * 4 <= lastReserved

  function countOf(id: string): RequestCount {
    const known = counts.get(id)
    if (known && !isOver(known)) return known
    const fresh = {
      shared: 0,
      answeredAt: -Infinity,
      reserved: 0,
      lastReserved: 0,
      served: 0,
      servedAt: 0,
      endsAt: time() + windowMilliseconds,
    }
    if (known) return Object.assign(known, fresh)
    const count = { id, ...fresh, unsent: 0, sending: 0, waiting: 0, isReserving: false }
    counts.set(id, count)
    return count
  }

  /** How many requests to reserve: more, the more of all requests come to this process, and the more of the quota is left. */
  function wantedBy(count: RequestCount): number {
    if (count.waiting === 0 && !isLow(count)) return 0
    const left = Math.max(quota - count.shared - count.unsent, 0)
    const part = Math.min(1, left / (4 * Math.max(count.shared, count.served)))
    return Math.max(count.waiting, Math.min(maxReserved, Math.floor(count.served * part)))
  }

  /** Takes back reservations that were not used for a while, but not shortly before the window ends, since they belong to it. */
  function takeUnused(count: RequestCount): number {
    const isIdle = count.waiting === 0 && time() - count.servedAt >= exchangeMilliseconds
    if (!(isIdle || isClosing) || count.endsAt - time() < exchangeMilliseconds) return 0
    const unused = count.reserved
    Object.assign(count, { reserved: 0, lastReserved: 0, shared: count.shared - unused })
    return unused
  }

  /** Sends the counts to the database. One exchange at a time; a failed one is repeated later and fails no request. */
  const exchange = () => (exchanging ??= sendCounts().finally(() => (exchanging = null)))

  async function sendCounts(): Promise<void> {
    const changes = Array.from(pending, (count) => ({ count, unused: takeUnused(count), added: count.unsent, wanted: wantedBy(count) }))
    const sent = changes.filter(({ unused, added, wanted }) => unused > 0 || added > 0 || wanted > 0)
    if (sent.length > 0) {
      for (const { count, added, wanted } of sent) Object.assign(count, { sending: added, unsent: 0, isReserving: wanted > 0 })
      try {
        const ids = sent.map(({ count }) => count.id)
        const added = sent.map((change) => change.added - change.unused)
        const wanted = sent.map((change) => change.wanted)
        for (const row of await exchangeCounts(database.pool, ids, added, wanted, quota)) receive(row)
      } catch (error) {
        for (const { count, unused } of sent) {
          count.unsent += count.sending
          count.reserved += unused
          count.shared += unused
        }
        unavailableUntil = time() + exchangeMilliseconds
        // Requests report an unavailable database already.
        if (!isUnavailable(error)) report(error)
      }
      for (const { count } of sent) Object.assign(count, { sending: 0, isReserving: false })
    }
    for (const count of pending) if (count.unsent + count.reserved + count.waiting === 0) pending.delete(count)
  }

  function receive({ id, requests, reserved, secondsLeft }: SharedCount): void {
    const count = countOf(id)
    const endsAt = time() + Math.min(secondsLeft, windowSeconds) * 1000
    // The database has begun another window, in which nothing is reserved yet. A slow response moves the end by less.
    if (endsAt > count.endsAt + windowMilliseconds / 2) Object.assign(count, { reserved: 0, served: 0 })
    const held = count.reserved + reserved
    Object.assign(count, { shared: requests, answeredAt: time(), reserved: held, lastReserved: held, endsAt })
  }

  function sendLater(): void {
    if (!isClosing) timer ??= setTimeout(() => void sendPending(), exchangeMilliseconds).unref()
  }

  async function sendPending(): Promise<void> {
    await exchange()
    timer = undefined
    for (const count of counts.values()) if (isOver(count) && uncounted(count) + count.waiting === 0) counts.delete(count.id)
    for (const count of pending) if (counts.get(count.id) !== count) pending.delete(count)
    if (pending.size > 0) sendLater()
  }

  /** Counts a request as served if the quota allows it. */
  async function take(id: string): Promise<{ isServed: boolean; remaining: number; secondsLeft: number }> {
    const result = (isServed: boolean, count: RequestCount) => ({
      isServed,
      remaining: Math.max(quota - count.shared - uncounted(count) + count.reserved, 0),
      secondsLeft: Math.ceil((count.endsAt - time()) / 1000),
    })
    for (;;) {
      const count = countOf(id)
      const isUnavailable = time() < unavailableUntil
      const isUsedUp = count.shared + uncounted(count) >= quota
      const isUncounted = !isUsedUp && (isUnavailable || (!count.isReserving && uncounted(count) < maxUncounted))
      if (count.reserved > 0 || isUncounted) {
        if (count.reserved > 0) count.reserved--
        else count.unsent++
        count.served++
        count.servedAt = time()
        pending.add(count)
        if (isLow(count) && !isUnavailable) void exchange()
        sendLater()
        return result(true, count)
      }
      if (isUsedUp && (isUnavailable || time() - count.answeredAt < exchangeMilliseconds)) return result(false, count)
      count.waiting++
      pending.add(count)
      await exchange()
      count.waiting--
    }
  }

  return {
    take,
    /** Sends what the database does not contain yet, and returns what is reserved. */
    async close(): Promise<void> {
      isClosing = true
      await exchanging
      await exchange()
      clearTimeout(timer)
    },
  }
}

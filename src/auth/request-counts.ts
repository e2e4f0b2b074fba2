import { isOutage } from '../../prisma/connection/availability.ts'
import type { Database } from '../../prisma/connection/database.ts'
import { exchangeCounts } from './request-count-exchange.ts'
import { RequestCount, exchangeMilliseconds } from './request-count.ts'
import { runOutsideRequests } from '../../schema/core/observation/outside-requests.ts'

/** Part of the quota that a process may serve before it counts it in the database: 10 % for 32 processes together. */
const uncountedPart = 1 / 320
/** Part of the quota that a process may reserve at once. */
const reservedPart = 1 / 40

export interface RequestCountPorts {
  database: Database
  now(): Date
  report(error: unknown): void
  /** Requests per credential and minute. */
  quota: number
}

/**
 * Counts the requests of each credential for all processes together, without a statement per request
 * (docs/decisions/errors.md#request-limit). At the default limit of 1,200 requests, a busy credential takes one statement for 15 requests.
 * Reservations are necessary: without them, 8 processes served up to 20 % more than the limit.
 */
export function createRequestCounts({ database, now, report, quota }: RequestCountPorts) {
  const limits = {
    quota,
    maxUncounted: Math.floor(quota * uncountedPart),
    maxReserved: Math.max(1, Math.floor(quota * reservedPart)),
  }
  const runOutsideRequest = runOutsideRequests()
  const counts = new Map<string, RequestCount>()
  /** Counts that must be sent, now or when they are idle. */
  const pending = new Set<RequestCount>()
  let exchanging: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let unavailableUntil = 0
  let isClosing = false

  const time = () => now().getTime()

  function getRequestCount(id: string): RequestCount {
    const existing = counts.get(id)
    if (existing?.isOver(time())) existing.restart(time())
    const count = existing ?? new RequestCount(id, limits, time())
    if (!existing) counts.set(id, count)
    return count
  }

  /** Sends the counts to the database. One exchange runs at a time; a failed one is repeated later and fails no request. */
  const exchange = () => (exchanging ??= runOutsideRequest(sendCounts).finally(() => (exchanging = null)))

  async function sendCounts(): Promise<void> {
    const changes = Array.from(pending, (count) => count.startSending(time(), isClosing))
    const sent = changes.filter(({ unused, added, requested }) => unused > 0 || added > 0 || requested > 0)
    if (sent.length > 0) {
      try {
        const ids = sent.map(({ count }) => count.id)
        const added = sent.map((change) => change.added - change.unused)
        const requested = sent.map((change) => change.requested)
        for (const row of await exchangeCounts(database.pool, ids, added, requested, quota)) getRequestCount(row.id).receive(row, time())
      } catch (error) {
        for (const { count, unused } of sent) count.restore(unused)
        unavailableUntil = time() + exchangeMilliseconds
        // Requests already report an unavailable database.
        if (!isOutage(error)) report(error)
      }
      for (const { count } of sent) count.endSending()
    }
    for (const count of pending) if (!count.isPending) pending.delete(count)
  }

  function sendLater(): void {
    if (!isClosing) timer ??= setTimeout(() => void sendPending(), exchangeMilliseconds).unref()
  }

  async function sendPending(): Promise<void> {
    await exchange()
    timer = undefined
    for (const count of counts.values()) if (count.isOver(time()) && count.isEmpty) counts.delete(count.id)
    for (const count of pending) if (counts.get(count.id) !== count) pending.delete(count)
    if (pending.size > 0) sendLater()
  }

  /** Counts requests as served, all or none, if the quota allows it. Otherwise, it uncounts the `held` ones that were counted before. */
  async function take(id: string, requests = 1, held = 0): Promise<{ isServed: boolean; remaining: number; secondsLeft: number }> {
    for (;;) {
      const count = getRequestCount(id)
      const isUnavailable = time() < unavailableUntil
      const isServed = count.serve(time(), isUnavailable, requests)
      if (isServed) {
        pending.add(count)
        if (count.isLow && !isUnavailable) void exchange()
        sendLater()
      }
      const isRefused = !isServed && count.remaining < requests && (isUnavailable || count.isCurrent(time()))
      if (isRefused) count.giveBack(held)
      if (isServed || isRefused) return { isServed, remaining: count.remaining, secondsLeft: count.secondsLeft(time()) }
      count.waiting += requests
      pending.add(count)
      await exchange()
      count.waiting -= requests
    }
  }

  return {
    take,
    /** Sends the remaining counts to the database, and returns the reservations. */
    async close(): Promise<void> {
      isClosing = true
      await exchanging
      await exchange()
      clearTimeout(timer)
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { isOutage, isUnavailable } from '../../prisma/connection/availability.ts'
import type { Ports } from '../../schema/core/ports.ts'
import type { WebhookTotals } from '../../schema/webhooks/lag.ts'
import { createWebhookCheck } from './check-webhooks.ts'
import { abandon, claim, release } from './claim.ts'
import type { ClaimedWebhook } from './claim.ts'
import { createRecorder } from './delivery-recorder.ts'
import { createLimit, workOn } from './work.ts'

/** Milliseconds between two polls, while there is a webhook and while there is none. */
const pollMilliseconds = { working: 250, idle: 2000 }
/** Maximum number of simultaneous requests to failing endpoints. Endpoints that hang must not use up the connections of others. */
const maxFailingRequests = 200
/** Maximum number of webhooks that one statement claims in addition to those with something new. */
const maxAlso = 1000
/** Pause after the work on a webhook failed, if nothing new happens, and the interval between reports of the same failure. */
const faultMilliseconds = 60_000
/** A process whose last poll is more recent is not late. */
const maxSilentSeconds = 10
/** Time for which a process that ends waits for responses. Another process delivers the remaining events again. */
const stopMilliseconds = 5000

interface DeliveryParts extends Pick<Ports, 'database' | 'now' | 'sendMail' | 'outgoing' | 'deriveSecret'> {
  /** Identifier of the process, new at each start. */
  worker: string
  report(error: unknown): void
}

/** The work on a webhook. */
interface Working {
  wake(): void
  /** True while the process releases the webhook, which can be claimed again before the response arrives. */
  isLeaving: boolean
  ended: Promise<void>
}

export interface WebhookDeliveries {
  start(): void
  /** Delivers the events that are due. Resolves when none are left. */
  run(): Promise<void>
  /** Returns the values for the metrics, without those that are unknown. */
  readTotals(): Partial<WebhookTotals>
  close(): Promise<void>
}

/**
 * Delivers events to webhooks (docs/decisions/webhooks.md). All processes deliver; one at a time works on a webhook, under a lease that it
 * renews. Events cause no write: a webhook reads the feed from a stored position.
 */
export function createWebhookDeliveries({ worker, report, ...ports }: DeliveryParts): WebhookDeliveries {
  const { pool } = ports.database
  const working = new Map<string, Working>()
  const recorder = createRecorder({ pool, worker, workedOn: () => [...working.keys()], report })
  const sendToFailing = createLimit(maxFailingRequests)
  const check = createWebhookCheck(pool)
  let horizon: string | null = null
  /** Webhooks to claim: woken while this process released them, locked during the last claim, or found by the check. */
  const also = new Set<string>()
  /** Time of the last failure of the work on each webhook. */
  const faults = new Map<string, number>()
  let reportedAt = -Infinity
  let lookedAt = performance.now()
  const closing = new AbortController()
  const isClosing = () => closing.signal.aborted
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<number> | null = null

  function begin(claimed: ClaimedWebhook): void {
    const work = workOn({ ...ports, recorder, sendToFailing, report, horizon: () => horizon }, claimed)
    const { id } = claimed
    async function deliver(): Promise<void> {
      let isFaulty = false
      try {
        do await untilAvailable(() => work.run(isClosing))
        while (work.mayHaveMore() && !isClosing())
      } catch (error) {
        // A webhook that fails is not tried again at once, because the log would fill up, unless something new happens.
        isFaulty = true
        faults.set(id, performance.now())
        report(error)
      }
      if (isClosing()) return
      entry.isLeaving = true
      await untilAvailable(() => release(pool, worker, id, work.deliveredHorizon()))
      if (work.mayHaveMore() && !isFaulty) also.add(id)
    }
    const entry: Working = { wake: work.wake, isLeaving: false, ended: Promise.resolve() }
    const leave = () => working.get(id) === entry && working.delete(id)
    working.set(id, entry)
    entry.ended = deliver().catch(report).finally(leave)
  }

  async function untilAvailable(work: () => Promise<unknown>): Promise<void> {
    while (!isClosing())
      try {
        await work()
        return
      } catch (error) {
        if (!isUnavailable(error)) throw error
        reportFailure(error)
        await pause(1000)
      }
  }

  /** Checks the next webhooks and adds those that it finds. Returns true on success; claiming continues after a failure, too. */
  async function checkNext(): Promise<boolean> {
    const page = await check.next(ports.now()).catch(reportFailure)
    if (!page) return false
    const { horizon: until, behind } = page
    horizon ??= until
    for (const [id, at] of faults) if (performance.now() - at >= faultMilliseconds) faults.delete(id)
    for (const id of behind) if (!working.has(id) && !faults.has(id)) also.add(id)
    return true
  }

  /** Looks for work once. Returns the milliseconds until the next poll. */
  async function poll(): Promise<number> {
    const isChecked = await checkNext()
    const rechecked = [...also].slice(0, maxAlso)
    const { horizon: until, claimed, woken, locked, isTooMuch } = await claim(pool, worker, horizon, ports.now(), rechecked)
    for (const id of rechecked) also.delete(id)
    for (const id of locked) also.add(id)
    horizon = until
    if (isChecked) lookedAt = performance.now()
    if (isTooMuch) check.restart()
    for (const id of woken) working.get(id)?.wake()
    for (const webhook of claimed) {
      const current = working.get(webhook.id)
      // The lease of this process ended before it was renewed, for example after an outage of the database.
      if (current && !current.isLeaving) current.wake()
      else begin(webhook)
    }
    if (working.size > 0) recorder.renew()
    if (!isChecked) return pollMilliseconds.idle
    if (check.isUrgent() || also.size > locked.length) return 0
    return check.hasWebhooks() ? pollMilliseconds.working : pollMilliseconds.idle
  }

  /** Reports that a poll failed, for example because it takes too long. Requests already report an unavailable database. */
  function reportFailure(error: unknown): void {
    if (isOutage(error) || performance.now() - reportedAt < faultMilliseconds) return
    reportedAt = performance.now()
    report(error)
  }

  function schedule(milliseconds: number): void {
    if (isClosing()) return
    timer = setTimeout(() => {
      polling = poll().catch((error: unknown) => {
        reportFailure(error)
        return pollMilliseconds.idle
      })
      void polling.then(schedule)
    }, milliseconds).unref()
  }

  return {
    start: () => schedule(0),
    async run() {
      check.restart()
      do {
        await poll()
        await Promise.all(Array.from(working.values(), ({ ended }) => ended))
      } while (also.size > 0 || check.isUrgent())
    },
    readTotals() {
      const totals = check.totals() ?? {}
      const silentSeconds = (performance.now() - lookedAt) / 1000
      if (silentSeconds <= maxSilentSeconds) return totals
      // An event may have waited since the last poll. The numbers of webhooks are omitted, because they would look current.
      return { lagSeconds: check.totals() && !check.hasWebhooks() ? 0 : silentSeconds }
    },
    async close() {
      closing.abort()
      clearTimeout(timer)
      await polling
      for (const { wake } of working.values()) wake()
      await Promise.race([Promise.all(Array.from(working.values(), ({ ended }) => ended)), pause(stopMilliseconds, null, { ref: false })])
      await recorder.close()
      await abandon(pool, worker).catch(() => {})
    },
  }
}

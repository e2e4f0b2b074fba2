import type { Ports } from '../../schema/core/context.ts'
import { observe } from '../../schema/core/observation/observation.ts'
import { formatEventKey } from '../../schema/events/stream.ts'
import type { EventPosition } from '../../schema/events/stream.ts'
import { disableGone } from '../../schema/webhooks/failing.ts'
import { isWantedType } from '../../schema/webhooks/rules.ts'
import { sendEvent } from '../../schema/webhooks/send-event.ts'
import type { Endpoint } from '../../schema/webhooks/send-event.ts'
import type { createLimit } from './limit.ts'
import type { ClaimedWebhook } from './claim.ts'
import { findDueRetries, findNextEvents } from './next-events.ts'
import type { DueEvent } from './next-events.ts'
import type { createRecorder } from './record.ts'

/** Requests at once to a webhook that works, and to one that fails: an endpoint that hangs must not hold many sockets. */
const slots = { working: 8, failing: 1 }
/** Retries that are read at once. */
const maxRetries = 4
/** Events that are read at once. */
const pageSize = 100
/** Events after the first that is still in progress. */
const maxAhead = 1000

export interface WorkPorts extends Pick<Ports, 'database' | 'now' | 'sendMail' | 'outgoing' | 'deriveSecret'> {
  recorder: Pick<ReturnType<typeof createRecorder>, 'record'>
  /** Runs a request to an endpoint that fails, after others if there are many such requests. */
  sendToFailing: ReturnType<typeof createLimit>
  /** All entries of transactions before this one are settled. */
  horizon(): string | null
  report(error: unknown): void
}

/** An event that was read, in the order of all events. It is settled once the position may pass it: its attempt is recorded, or it is not wanted. */
interface Read extends DueEvent {
  isSettled: boolean
}

/** Delivers the events of one webhook. A failed event is scheduled again by itself, so that the next ones do not wait for it. */
export function workOn(ports: WorkPorts, claimed: ClaimedWebhook) {
  const { database, now, recorder, report } = ports
  let webhook = claimed
  let isLost = false
  /** What was read of the feed, from the stored position on. */
  let ahead: Read[] = []
  let readUntil: EventPosition = claimed.position
  let readHorizon: string | null = null
  /** What was read and not started. */
  let next: (DueEvent & Partial<Read>)[] = []
  const inProgress = new Set<string>()
  let mayHaveMore = true
  let isFull = false
  let changed = Promise.withResolvers<void>()

  function wake(): void {
    mayHaveMore = true
    changed.resolve()
  }

  /** Reads what is due: retries first, which never take all of the places. */
  async function read(): Promise<void> {
    mayHaveMore = false
    readHorizon = ports.horizon()
    isFull = ahead.length >= maxAhead
    const retries = await findDueRetries(database.pool, webhook, now(), inProgress, maxRetries)
    const found = isFull ? null : await findNextEvents(database.pool, webhook, readUntil, pageSize)
    const fresh = (found?.events ?? []).map((each): Read => Object.assign(each, { isSettled: false }))
    readUntil = found?.until ?? readUntil
    ahead.push(...fresh)
    next = [...retries, ...fresh]
    if (retries.length === maxRetries || found?.hasMore) mayHaveMore = true
  }

  /**
   * Settles an event whose attempt is being recorded. Returns the position after the settled events at the start of `ahead`; null if the first
   * is not settled.
   */
  function settle(due: Partial<Read>): EventPosition | null {
    due.isSettled = true
    const first = ahead.findIndex(({ isSettled }) => !isSettled)
    const settled = ahead.slice(0, first === -1 ? ahead.length : first)
    ahead = ahead.slice(settled.length)
    return settled.at(-1)?.position ?? null
  }

  async function attempt(due: DueEvent & Partial<Read>): Promise<void> {
    const send = () => sendEvent(ports, endpointOf(webhook), due.event)
    const result = await (webhook.isFailing ? ports.sendToFailing(send) : send())
    observe('webhookDelivery', { result: result.result })
    const present = isLost ? null : await recorder.record(webhook.id, due, result, () => settle(due))
    if (!present) isLost = true
    else webhook = present
    if (present && result.status === 410) {
      await disableGone(ports, webhook.id)
      webhook = { ...webhook, isDisabled: true }
    }
  }

  function start(due: DueEvent & Partial<Read>): void {
    const key = formatEventKey(due.position)
    inProgress.add(key)
    attempt(due)
      .catch((error: unknown) => {
        isLost = true
        report(error)
      })
      .finally(() => {
        inProgress.delete(key)
        if (isFull && ahead.length < maxAhead) mayHaveMore = true
        changed.resolve()
      })
  }

  /**
   * Delivers until nothing is left, or until the webhook was disabled, deleted or taken over by another process. Rejects if the database is
   * unavailable; call it again then.
   */
  async function run(isClosing: () => boolean): Promise<void> {
    const isOver = () => isLost || webhook.isDisabled || isClosing()
    while (!isOver()) {
      changed = Promise.withResolvers<void>()
      const places = webhook.isFailing ? slots.failing : slots.working
      if (next.length === 0 && mayHaveMore && inProgress.size < places) await read().catch(readAgain)
      while (inProgress.size < places && next.length > 0 && !isOver()) {
        const due = next.shift()
        if (due && isWantedType(webhook.types, due.event.type)) start(due)
        else if (due) due.isSettled = true
      }
      const isIdle = next.length === 0 && !mayHaveMore
      if (isIdle && inProgress.size === 0) return
      if (isIdle || inProgress.size >= places) await changed.promise
    }
    while (inProgress.size > 0) {
      changed = Promise.withResolvers<void>()
      await changed.promise
    }
  }

  function readAgain(error: unknown): never {
    mayHaveMore = true
    throw error
  }

  return {
    run,
    wake,
    /** Whether there may be more than was read. */
    isWoken: () => mayHaveMore && !isLost && !webhook.isDisabled,
    /** The horizon before which everything was delivered; null if that is not known. */
    delivered: () => (isLost || webhook.isDisabled || mayHaveMore || next.length > 0 ? null : readHorizon),
  }
}

const endpointOf = ({ id, url, secret, previousSecret, previousSecretExpiresAt }: ClaimedWebhook): Endpoint => ({
  id,
  url,
  secret: Buffer.from(secret, 'hex'),
  previousSecret: previousSecret === null ? null : Buffer.from(previousSecret, 'hex'),
  previousSecretExpiresAt: previousSecretExpiresAt === null ? null : new Date(previousSecretExpiresAt),
})

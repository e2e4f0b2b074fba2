import type { Ports } from '../../schema/core/ports.ts'
import type { EventPosition } from '../../schema/events/stream.ts'
import { isWantedType } from '../../schema/webhooks/rules.ts'
import type { Attempt } from '../../schema/webhooks/send-event.ts'
import type { ClaimedWebhook } from './claim.ts'
import { findDueRetries, findNextEvents } from './next-events.ts'
import type { DueEvent } from './next-events.ts'

/** Maximum number of retries that are read at once. */
const maxRetries = 4
/** Maximum number of events that are read at once. */
const pageSize = 100
/** Maximum number of events that are read ahead, counted from the first pending event. */
const maxAhead = 1000

/** Progress of the delivery of an event. The stored position passes events that are not pending. Failed ones are retried independently. */
type DeliveryState = 'pending' | Attempt['result'] | 'unwanted'

/** State of the feed after the events that were read: maybe more, more that waits until fewer are ahead, or none before a horizon. */
type Rest = { state: 'unread' | 'postponed' } | { state: 'empty'; horizon: string | null }

export interface BacklogPorts extends Pick<Ports, 'database' | 'now'> {
  /** Transaction number. Entries of all transactions before it are settled. */
  horizon(): string | null
}

/** Events to deliver to a webhook from a position on: retries that are due, and then the feed. */
export function createBacklog({ database, now, horizon }: BacklogPorts, position: EventPosition) {
  /** Events of the feed that were read, from the stored position on. */
  const ahead = new Map<DueEvent, DeliveryState>()
  /** Events that were read and not taken. */
  const next: DueEvent[] = []
  let readUntil = position
  let rest: Rest = { state: 'unread' }

  function expectMore(): void {
    rest = { state: 'unread' }
  }

  return {
    /** Reads again after all events are taken, because something happened. */
    expectMore,
    /** True if all events that were read were taken, and more may follow. */
    isUnread: () => next.length === 0 && rest.state === 'unread',
    /** True if all events that were read were taken, and none follow. */
    isEmpty: () => next.length === 0 && rest.state !== 'unread',
    /** The horizon before which all events were taken; null if it is unknown. */
    takenHorizon: () => (next.length === 0 && rest.state === 'empty' ? rest.horizon : null),

    /** Reads events that are due. Retries come first, but never take all places. */
    async read(webhook: ClaimedWebhook, inProgress: Iterable<string>): Promise<void> {
      const isFull = ahead.size >= maxAhead
      rest = isFull ? { state: 'postponed' } : { state: 'empty', horizon: horizon() }
      try {
        const retries = await findDueRetries(database.pool, webhook, now(), inProgress, maxRetries)
        const page = isFull ? null : await findNextEvents(database.pool, webhook, readUntil, pageSize)
        readUntil = page?.until ?? readUntil
        for (const event of page?.events ?? []) ahead.set(event, 'pending')
        next.push(...retries, ...(page?.events ?? []))
        if (retries.length === maxRetries || page?.hasMore) expectMore()
      } catch (error) {
        expectMore()
        throw error
      }
    },
    /** Removes and returns the next event of these types. */
    take(types: readonly string[]): DueEvent | null {
      for (let due = next.shift(); due; due = next.shift()) {
        if (isWantedType(types, due.event.type)) return due
        if (ahead.has(due)) ahead.set(due, 'unwanted')
      }
      return null
    },
    /** Ends the delivery of an event. Returns the position before the first pending event; null if the first event is pending. */
    settle(due: DueEvent, result: Attempt['result']): EventPosition | null {
      if (ahead.has(due)) ahead.set(due, result)
      let settled: EventPosition | null = null
      for (const [event, state] of ahead) {
        if (state === 'pending') break
        settled = event.position
        ahead.delete(event)
      }
      if (rest.state === 'postponed' && ahead.size < maxAhead) expectMore()
      return settled
    },
  }
}

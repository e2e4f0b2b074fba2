import type { Ports } from '../../schema/core/ports.ts'
import type { EventPosition } from '../../schema/events/stream.ts'
import { isWantedType } from '../../schema/webhooks/rules.ts'
import type { Attempt } from '../../schema/webhooks/send-event.ts'
import type { ClaimedWebhook } from './claim.ts'
import { findDueRetries, findNextEvents } from './next-events.ts'
import type { DueEvent } from './next-events.ts'

/** Retries that are read at once. */
const maxRetries = 4
/** Events that are read at once. */
const pageSize = 100
/** Events after the first that is pending. */
const maxAhead = 1000

/** How far the delivery of an event is. The stored position passes an event that is not pending; a failed one is scheduled again by itself. */
type DeliveryState = 'pending' | Attempt['result'] | 'unwanted'

/** What follows the events that were read: maybe more, more that is read when fewer are ahead, or nothing that was settled before a horizon. */
type Rest = { state: 'unread' | 'postponed' } | { state: 'empty'; horizon: string | null }

export interface BacklogPorts extends Pick<Ports, 'database' | 'now'> {
  /** Entries of all transactions before this one are settled. */
  horizon(): string | null
}

/** The events that are to be delivered to a webhook from a position on: retries that are due, and what follows in the feed. */
export function createBacklog({ database, now, horizon }: BacklogPorts, position: EventPosition) {
  /** The events of the feed that were read, from the stored position on. */
  const ahead = new Map<DueEvent, DeliveryState>()
  /** What was read and not taken. */
  const next: DueEvent[] = []
  let readUntil = position
  let rest: Rest = { state: 'unread' }

  function expectMore(): void {
    rest = { state: 'unread' }
  }

  return {
    /** Reads again when all is taken: something happened. */
    expectMore,
    /** Whether all that was read was taken, and more may follow. */
    isUnread: () => next.length === 0 && rest.state === 'unread',
    /** Whether all that was read was taken, and nothing follows. */
    isEmpty: () => next.length === 0 && rest.state !== 'unread',
    /** The horizon before which everything was taken; null if that is not known. */
    takenHorizon: () => (next.length === 0 && rest.state === 'empty' ? rest.horizon : null),

    /** Reads what is due: retries first, which never take all of the places. */
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
    /** Ends the delivery of an event. Returns the position after the first events that are not pending; null if the first one is. */
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

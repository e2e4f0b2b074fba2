import { isUnavailable } from '../../prisma/connection/availability.ts'
import type { Ports } from '../../schema/core/context.ts'
import { isFullBatch, recordTimedEvents } from '../../schema/events/record-timed-events.ts'
import { everyMinute } from './every-minute.ts'
import type { PeriodicWork } from './every-minute.ts'

interface TimedEventsPorts extends Pick<Ports, 'database' | 'now'> {
  report(error: unknown): void
}

/** Records, every minute, the events that happen by time. A run returns how many batches it recorded. */
export const createTimedEvents = ({ database, now, report }: TimedEventsPorts): PeriodicWork<number> =>
  everyMinute({ name: 'timed-events', database, report }, async (isClosing) => {
    let batches = 0
    try {
      do batches++
      while (isFullBatch(await recordTimedEvents(database.pool, now())) && !isClosing())
    } catch (error) {
      // Requests report an unavailable database already.
      if (!isUnavailable(error)) report(error)
    }
    return batches
  })

import { isUnavailable } from '../../prisma/connection/availability.ts'
import type { Ports } from '../../schema/core/context.ts'
import { isFullBatch, recordTimedEvents } from '../../schema/events/record-timed-events.ts'
import { attendToFailing } from '../../schema/webhooks/failing.ts'
import { everyMinute } from './every-minute.ts'
import type { PeriodicWork } from './every-minute.ts'

interface TimedEventsPorts extends Pick<Ports, 'database' | 'now' | 'sendMail'> {
  report(error: unknown): void
}

/** Records, every minute, the events that happen by time, and attends to webhooks that fail. A run returns how many batches it recorded. */
export const createTimedEvents = ({ report, ...ports }: TimedEventsPorts): PeriodicWork<number> =>
  everyMinute({ name: 'timed-events', database: ports.database, report }, async (isClosing) => {
    let batches = 0
    try {
      do batches++
      while (isFullBatch(await recordTimedEvents(ports.database.pool, ports.now())) && !isClosing())
      await attendToFailing(ports)
    } catch (error) {
      // Requests report an unavailable database already.
      if (!isUnavailable(error)) report(error)
    }
    return batches
  })

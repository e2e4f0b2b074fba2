import { createDelayedWrite } from './delayed-write.ts'

/** Maximum number of different events in memory, because requests can cause them very fast. Further ones are not counted. */
const maxPending = 1_000

/** How often an event occurred within a second, and when it last did. */
export type Counted<Event> = Event & { count: number; at: Date }

interface CountLogParts<Event> {
  now(): Date
  write(events: readonly Counted<Event>[]): Promise<unknown>
  report(error: unknown): void
}

/** Counts equal events of one day in memory, and writes the counts after the requests. */
export function createCountLog<Event extends object>({ now, write, report }: CountLogParts<Event>) {
  const pending = new Map<string, Counted<Event>>()
  const { start, close } = createDelayedWrite(async () => {
    const events = [...pending.values()]
    pending.clear()
    if (events.length > 0) await write(events)
  }, report)

  return {
    record(event: Event): void {
      const at = now()
      const key = JSON.stringify([at.toISOString().slice(0, 10), event])
      const counted = pending.get(key)
      if (counted) Object.assign(counted, { count: counted.count + 1, at })
      else if (pending.size < maxPending) pending.set(key, { ...event, count: 1, at })
      start()
    },
    /** Writes the counts that are still in memory. */
    close,
  }
}

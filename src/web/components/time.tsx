import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import { asDate, defaultTimes, formatDate, formatDateTime, formatRelative } from '../time-format.ts'

/** Settings by which a page shows times. Without `now`, no time is relative. */
interface PageTimes extends TimeSettings {
  now: Date | null
}

export const TimesContext = createContext<PageTimes>({ ...defaultTimes, now: null })

/** Returns the settings by which this page shows times, for texts that are not components. */
export const useTimes = (): PageTimes => useContext(TimesContext)

interface TimeProps {
  /** RFC 3339 timestamp or date. An absent one is shown as `never`. */
  at: string | Date | null | undefined
}

const Never = () => <span class="default">never</span>

/** A calendar date, or the day of an instant in the person's time zone. */
export function Day({ at }: TimeProps) {
  const times = useTimes()
  return at ? <time dateTime={asDate(at).toISOString()}>{formatDate(at, times)}</time> : <Never />
}

/** An instant, shown to the minute. */
export function DateTime({ at }: TimeProps) {
  const times = useTimes()
  return at ? <time dateTime={asDate(at).toISOString()}>{formatDateTime(at, times)}</time> : <Never />
}

/**
 * An instant, relative if it is near and otherwise as a day, with the full instant on hover. It must stand alone: after a preposition, as
 * in “until in 3 days”, it would be wrong.
 */
export function RelativeTime({ at }: TimeProps) {
  const times = useTimes()
  if (!at) return <Never />
  return (
    <time dateTime={asDate(at).toISOString()} title={formatDateTime(at, times)}>
      {(times.now && formatRelative(at, times.now)) ?? formatDate(at, times)}
    </time>
  )
}

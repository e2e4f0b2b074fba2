import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import { asDate, defaultTimes, formatDate, formatDateTime, formatRelative } from '../time-format.ts'

/** How a page shows times. Without `now`, no time is relative. */
interface PageTimes extends TimeSettings {
  now: Date | null
}

export const TimesContext = createContext<PageTimes>({ ...defaultTimes, now: null })

/** Returns how this page shows times, for texts that are not components. */
export const useTimes = (): PageTimes => useContext(TimesContext)

interface TimeProps {
  /** RFC 3339 timestamp or date. An absent one is shown as `never`. */
  at: string | Date | null | undefined
}

/** A calendar date, or the day of an instant in the person's time zone. */
export function Day({ at }: TimeProps) {
  const times = useTimes()
  return at ? <time dateTime={asDate(at).toISOString()}>{formatDate(at, times)}</time> : <>never</>
}

/** An instant to the minute. */
export function DateTime({ at }: TimeProps) {
  const times = useTimes()
  return at ? <time dateTime={asDate(at).toISOString()}>{formatDateTime(at, times)}</time> : <>never</>
}

/**
 * An instant that is relative where it is near, and otherwise its day, with the instant itself on hover. For places where it stands alone:
 * in a sentence a preposition precedes it, and “until in 3 days” is wrong.
 */
export function RelativeTime({ at }: TimeProps) {
  const times = useTimes()
  if (!at) return <>never</>
  return (
    <time dateTime={asDate(at).toISOString()} title={formatDateTime(at, times)}>
      {(times.now && formatRelative(at, times.now)) ?? formatDate(at, times)}
    </time>
  )
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

interface Instant {
  /** RFC 3339, or a date. */
  at: string | Date | null | undefined
  /** What stands for no instant. */
  none?: string
}

const asDate = (at: string | Date) => (typeof at === 'string' ? new Date(at) : at)

/** The day of an instant, in UTC, or a date: `21 Nov 2026`. */
export const dayOf = (at: string | Date): string => day.format(asDate(at))

/** The same as an element. */
export const Day = ({ at, none = 'never' }: Instant) => (at ? <time dateTime={asDate(at).toISOString()}>{dayOf(at)}</time> : <>{none}</>)

/** An instant to the minute, as text: `21 Nov 2026, 09:30 UTC`. */
export const momentOf = (at: string | Date): string => `${minute.format(asDate(at))} UTC`

/** The same as an element. */
export const Moment = ({ at, none = 'never' }: Instant) =>
  at ? <time dateTime={asDate(at).toISOString()}>{momentOf(at)}</time> : <>{none}</>

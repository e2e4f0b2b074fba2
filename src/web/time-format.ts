// Every time that pages and mails show is in UTC and says so: teams have a time zone, users have none.

const dateFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const dateTimeFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

export const asDate = (at: string | Date): Date => (typeof at === 'string' ? new Date(at) : at)

/** Formats a date or the UTC date of a timestamp: `21 Nov 2026`. */
export const formatDate = (at: string | Date): string => dateFormat.format(asDate(at))

/** Formats a timestamp to the minute: `21 Nov 2026, 09:30 UTC`. */
export const formatDateTime = (at: string | Date): string => `${dateTimeFormat.format(asDate(at))} UTC`

import type { TimeSettings } from '../../schema/core/principals.ts'

/** Default for people without a setting, and for documents that do not belong to one person. */
export const defaultTimes: TimeSettings = { timezone: null, dateFormat: 'day_month_year' }

type Options = Intl.DateTimeFormatOptions

/** The locale and the form of the day for each date format. */
const days: Record<TimeSettings['dateFormat'], [locale: string, day: Options, hour: Options]> = {
  day_month_year: ['en-GB', { day: 'numeric', month: 'short', year: 'numeric' }, { hour: '2-digit', hourCycle: 'h23' }],
  month_day_year: ['en-US', { day: 'numeric', month: 'short', year: 'numeric' }, { hour: 'numeric', hourCycle: 'h12' }],
  year_month_day: ['en-CA', { day: '2-digit', month: '2-digit', year: 'numeric' }, { hour: '2-digit', hourCycle: 'h23' }],
}

// Formats that were used recently are cached, because each takes long to create and some kilobytes of memory.
const formats = new Map<string, Intl.DateTimeFormat>()
const maxFormats = 50

function formatOptions({ timezone, dateFormat }: TimeSettings, hasTime: boolean): [locale: string, options: Options] {
  const [locale, day, hour] = days[dateFormat]
  const time: Options = hasTime ? { ...hour, minute: '2-digit', timeZoneName: 'short' } : {}
  return [locale, { ...day, ...time, timeZone: timezone ?? 'UTC' }]
}

/** Returns the arguments of `Intl.DateTimeFormat` for an instant, so that scripts format it as the server does. */
export const instantFormat = (settings: TimeSettings) => formatOptions(settings, true)

function getFormat({ timezone, dateFormat }: TimeSettings, hasTime: boolean): Intl.DateTimeFormat {
  const key = JSON.stringify([timezone, dateFormat, hasTime])
  const format = formats.get(key) ?? new Intl.DateTimeFormat(...formatOptions({ timezone, dateFormat }, hasTime))
  formats.delete(key)
  formats.set(key, format)
  for (const oldest of formats.keys()) if (formats.size > maxFormats) formats.delete(oldest)
  return format
}

export const asDate = (at: string | Date): Date => (typeof at === 'string' ? new Date(at) : at)

/** Formats a calendar date, or the day of an instant in the person's time zone: `21 Nov 2026`. */
export function formatDate(at: string | Date, settings = defaultTimes): string {
  const isCalendarDate = typeof at === 'string' && at.length === 10
  return getFormat(isCalendarDate ? { ...settings, timezone: null } : settings, false).format(asDate(at))
}

/** Formats an instant to the minute, with its time zone: `21 Nov 2026, 09:30 UTC`. */
export const formatDateTime = (at: string | Date, settings = defaultTimes): string => getFormat(settings, true).format(asDate(at))

const relativeFormat = new Intl.RelativeTimeFormat('en')
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const nearMilliseconds = 30 * 86_400_000

/**
 * Formats an instant within 30 days relative to now: `3 hours ago`, `in 2 days`. Null for one that is further away. Remaining days are
 * rounded up, so that a link that lasts 7 days does not say `in 6 days` a second later.
 */
export function formatRelative(at: string | Date, now: Date): string | null {
  const distance = asDate(at).getTime() - now.getTime()
  if (Math.abs(distance) >= nearMilliseconds) return null
  const [unit, milliseconds] = units.find(([, each]) => Math.abs(distance) >= each) ?? []
  if (unit === undefined) return distance > 0 ? 'in less than a minute' : 'just now'
  const round = unit === 'day' && distance > 0 ? Math.ceil : Math.trunc
  return relativeFormat.format(round(distance / milliseconds), unit)
}

import { UsageError } from '../command.ts'

const timePattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Parses a date, which begins at midnight UTC, or an instant. Throws a `UsageError` that contains the option. */
export function timeOf(text: string, option: string): Date {
  const time = new Date(text)
  // `Date` reads February 31 as a day in March.
  const isDay = !Number.isNaN(time.getTime()) && new Date(text.slice(0, 10)).toISOString().startsWith(text.slice(0, 10))
  if (timePattern.test(text) && isDay) return time
  throw new UsageError(`${option} must be a date such as 2026-01-31 or an instant such as 2026-01-31T09:30:00Z; it is ${text}`)
}

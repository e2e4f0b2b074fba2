import { UsageError } from './command.ts'

const yearSeconds = 31_536_000
const unitSeconds = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
  ['y', yearSeconds],
])

/** Parses `90d`, `24h` or `1y` (365 days) as seconds. Throws a `UsageError` that contains the option. */
export function durationSeconds(text: string, option: string): number {
  const { count, unit = '' } = /^(?<count>\d{1,9})(?<unit>[smhdwy])$/.exec(text)?.groups ?? {}
  const total = Number(count) * (unitSeconds.get(unit) ?? Number.NaN)
  // A limit of 100 years keeps every date in range.
  if (!(total > 0 && total <= 100 * yearSeconds))
    throw new UsageError(`${option} must be a time such as 90d, in s, m, h, d, w or y; it is ${text}`)
  return total
}

/** Parses a duration like `durationSeconds`, but also accepts `0`, with or without a unit. */
export const durationSecondsOrZero = (text: string, option: string): number =>
  /^0[smhdwy]?$/.test(text) ? 0 : durationSeconds(text, option)

const timePattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Parses a date, which begins at midnight UTC, or an instant. Throws a `UsageError` that contains the option. */
export function parseTime(text: string, option: string): Date {
  const time = new Date(text)
  // `Date` reads February 31 as a day in March.
  const isDay = !Number.isNaN(time.getTime()) && new Date(text.slice(0, 10)).toISOString().startsWith(text.slice(0, 10))
  if (timePattern.test(text) && isDay) return time
  throw new UsageError(`${option} must be a date such as 2026-01-31 or an instant such as 2026-01-31T09:30:00Z; it is ${text}`)
}

/** Parses an option whose value is a whole number; undefined stays undefined. */
export function wholeNumber(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,6}$/.test(value)) throw new UsageError(`${option} must be a whole number; it is ${value}`)
  return Number(value)
}

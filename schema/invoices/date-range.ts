import { refused } from '../core/validation.ts'

/** Throws `validation_failed` if the last date, the argument `name`, is before the first. Dates in this form compare as text. */
export function requireRange(since: string | null | undefined, until: string | null | undefined, name = 'until'): void {
  if (since && until && until < since) throw refused({ [name]: [`The :attribute field must be a date after or equal to ${since}.`] })
}

/** Returns the first day of the month eleven months before a date, so that the range has twelve months; the earliest date if none. */
export function elevenMonthsBefore(date: string): string {
  const [year = 0, month = 0] = date.split('-').map(Number)
  const months = year * 12 + month - 12
  if (months < 12) return '0001-01-01'
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
}

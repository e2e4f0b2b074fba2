import { invalid } from '../../../schema/core/errors.ts'
import { yearAfter } from '../../../schema/tokens/rules.ts'

const dayInMilliseconds = 86_400_000

/** Returns the instant that is some days of 24 hours later. */
export const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + days * dayInMilliseconds)

/** Lifetimes that the form offers, in days. The GraphQL schema defines the limits. */
export const tokenLifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '60', label: '60 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'Custom date', opens: true },
] as const

/** Choice that only team tokens have. */
export const unlimited = { value: 'never', label: 'No expiration', hint: 'Until it is revoked' } as const

/** Returns the last day on which a personal token can expire, a year from now. */
export const lastDay = (now: Date): string => yearAfter(now).toISOString().slice(0, 10)

interface ExpiryChoice {
  expiresAt: string
  day: string
}

/**
 * Returns the submitted expiry as a timestamp, or null for a token that does not expire. A chosen day ends at midnight UTC;
 * the last possible day ends at the current time of day. Throws `validation_failed` for an invalid choice.
 */
export function getExpiresAt({ expiresAt, day }: ExpiryChoice, now: Date): string | null {
  if (expiresAt === unlimited.value) return null
  if (expiresAt === 'date') return endOfDay(day, now)
  if (!tokenLifetimes.some(({ value }) => value === expiresAt)) throw invalid({ expiresAt: ['Choose an expiration.'] })
  return daysAfter(now, Number(expiresAt)).toISOString()
}

/** Returns the expiry of a personal token, which must expire within a year. */
export function getPersonalExpiry(choice: ExpiryChoice, now: Date): string {
  const expiresAt = getExpiresAt(choice, now)
  if (expiresAt === null) throw invalid({ expiresAt: ['A personal token must expire within a year.'] })
  if (new Date(expiresAt) > yearAfter(now)) throw invalid({ day: ['Choose a date within a year.'] })
  return expiresAt
}

function endOfDay(day: string, now: Date): string {
  const end = /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T23:59:59.999Z`) : null
  // `Date` reads 30 February as a day in March.
  if (!end || Number.isNaN(end.getTime()) || !end.toISOString().startsWith(day)) throw invalid({ day: ['Choose a date.'] })
  if (end <= now) throw invalid({ day: ['Choose a date in the future.'] })
  return (day === lastDay(now) ? yearAfter(now) : end).toISOString()
}

import { invalid } from '../../../schema/errors.ts'
import { yearAfter } from '../../../schema/token-rules.ts'

const dayInMilliseconds = 86_400_000

/** How long a token may be asked to live, as the form offers it; how long it may is the schema's to say. */
export const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
  { value: 'date', label: 'Until the end of a day that I choose', opens: true },
] as const

/** Beside them for team tokens, which may outlive everybody. */
export const unlimited = { value: 'never', label: 'It does not expire' } as const

/** The last day that may be chosen where a token lives a year at most. */
export const lastDay = (now: Date): string => yearAfter(now).toISOString().slice(0, 10)

/**
 * What was chosen, as an instant; null for never. A day counts to its end, in UTC as every time on these pages, and the
 * day a year ahead to the present time of day. Throws `validation_failed` for what is no choice.
 */
export function expiresAtOf({ expiresAt, day }: { expiresAt: string; day: string }, now: Date): string | null {
  if (expiresAt === unlimited.value) return null
  if (expiresAt === 'date') return endOf(day, now)
  if (!lifetimes.some(({ value }) => value === expiresAt)) throw invalid({ expiresAt: ['Choose how long the token works.'] })
  return new Date(now.getTime() + Number(expiresAt) * dayInMilliseconds).toISOString()
}

function endOf(day: string, now: Date): string {
  const end = /^(?!0000)\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T23:59:59.999Z`) : null
  // The 30th of February is read as a day of March.
  if (!end || Number.isNaN(end.getTime()) || !end.toISOString().startsWith(day)) throw invalid({ day: ['Choose a day.'] })
  return (day === lastDay(now) ? yearAfter(now) : end).toISOString()
}

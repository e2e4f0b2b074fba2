import { UsageError } from './command.ts'

const seconds = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 } as const

/** `90d`, `24h`, `1y` → seconds; units s, m, h, d, w, y (365 days). Throws `UsageError` naming the option. */
export function durationSeconds(text: string, option: string): number {
  const { count, unit } = /^(?<count>\d{1,9})(?<unit>[smhdwy])$/.exec(text)?.groups ?? {}
  const total = Number(count) * (seconds[unit as keyof typeof seconds] ?? Number.NaN)
  // A hundred years is past every use, and safely within what dates can be.
  if (!(total > 0 && total <= 100 * seconds.y))
    throw new UsageError(`${option} must be a time such as 90d, in s, m, h, d, w or y; it is ${text}`)
  return total
}

/** The same, and `0` for no time at all. */
export const spanSeconds = (text: string, option: string): number => (text === '0' ? 0 : durationSeconds(text, option))

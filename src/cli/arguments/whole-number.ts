import { UsageError } from '../command.ts'

/** Parses an option whose value is a whole number; undefined stays undefined. */
export function wholeNumber(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,6}$/.test(value)) throw new UsageError(`${option} must be a whole number; it is ${value}`)
  return Number(value)
}

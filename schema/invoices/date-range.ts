import { invalid } from '../core/errors.ts'

/** Throws `validation_failed` if the last date is before the first. Dates in this form compare as text. */
export function requireRange(since: string | null | undefined, until: string | null | undefined): void {
  if (since && until && until < since) throw invalid({ until: [`The until field must be a date after or equal to ${since}.`] })
}

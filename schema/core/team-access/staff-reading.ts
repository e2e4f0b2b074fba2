import type { Context } from '../context.ts'

/** Writes the audit entry for a `content` field of a team before the field is read. */
type RecordReading = (context: Context, field: string) => Promise<void>

const readByStaff = new WeakMap<object, RecordReading>()

/**
 * Marks a team that the `staff` field returns. Fields with `openToStaff` then need no membership; all others are refused as for a user
 * who is not a member. The mark applies to this object only, not to the same team in another part of the response.
 */
export function markReadByStaff<Team extends object>(team: Team, record: RecordReading): Team {
  readByStaff.set(team, record)
  return team
}

/** Returns the function that records a read by staff; null for a team that is not read by staff. */
export const getStaffReading = (team: unknown): RecordReading | null =>
  typeof team === 'object' && team !== null ? (readByStaff.get(team) ?? null) : null

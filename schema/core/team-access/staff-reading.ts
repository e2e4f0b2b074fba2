import type { Context } from '../context.ts'

/** Writes the audit entry about a field with content of a team, before it is read. */
type RecordReading = (context: Context, field: string) => Promise<void>

const readByStaff = new WeakMap<object, RecordReading>()

/**
 * Marks a team that the `staff` field returns. Those fields of it that are open to staff then need no membership, and all others are
 * refused as to a stranger. The mark belongs to the object, so the same team reached in another way stays what it is for everyone.
 */
export function markReadByStaff<Team extends object>(team: Team, record: RecordReading): Team {
  readByStaff.set(team, record)
  return team
}

/** What records that staff read the content of a team; null for a team that is not read by staff. */
export const staffReadingOf = (team: unknown): RecordReading | null =>
  typeof team === 'object' && team !== null ? (readByStaff.get(team) ?? null) : null

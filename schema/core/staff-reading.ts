const readByStaff = new WeakSet<object>()

/**
 * Marks a team that the `staff` field returns. Those fields of it that are open to staff then need no membership, and all others are
 * refused as to a stranger. The mark belongs to the object, so the same team reached in another way stays what it is for everyone.
 */
export function markReadByStaff<Team extends object>(team: Team): Team {
  readByStaff.add(team)
  return team
}

export const isReadByStaff = (team: unknown): boolean => typeof team === 'object' && team !== null && readByStaff.has(team)

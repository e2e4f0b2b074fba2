import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import type { GroupRole } from './group-role.ts'

/** The role and the products of a member in a team. */
export interface MemberTerms {
  role: Role
  /** Null for all products. */
  accessibleAppIds: Application[] | null
}

/**
 * Returns the role and the products that the groups of a person give; null if none of them has a role. If there are several groups,
 * `member` precedes `billing`, and the products are those of all of them.
 */
export function termsOfGroups(groupRoles: readonly GroupRole[], groups: readonly string[]): MemberTerms | null {
  const names = new Set(groups)
  const matching = groupRoles.filter(({ group }) => names.has(group))
  if (matching.length === 0) return null
  const role = matching.some((each) => each.role === 'member') ? 'member' : 'billing'
  const lists = matching.map(({ accessibleAppIds }) => accessibleAppIds)
  const accessibleAppIds = lists.includes(null) ? null : [...new Set(lists.flatMap((ids) => ids ?? []))].toSorted()
  return { role, accessibleAppIds }
}

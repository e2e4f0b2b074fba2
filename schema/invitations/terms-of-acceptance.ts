import type { Invitation } from '../../prisma/generated/client/client.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { accessibleIds } from '../apps/application.ts'
import { readDirectoryGroups } from '../members/groups/directory-groups.ts'
import { joinAsInvitedUser } from '../members/groups/directory-user.ts'
import { groupRolesOfTeams } from '../members/groups/group-role.ts'
import { termsOfGroups } from '../members/groups/terms-of-groups.ts'
import type { MemberTerms } from '../members/groups/terms-of-groups.ts'

/**
 * Returns the role and the products of a person who accepts a pending invitation to a locked team. A user whom the directory invited gets
 * those of their groups, if one of these has a role; groups do not concern owners.
 */
export async function termsOfAcceptance(
  transaction: Transaction,
  invitation: Invitation,
  userId: string,
  now: Date,
): Promise<MemberTerms & { isManaged: boolean }> {
  const { teamId, role, directoryUserId } = invitation
  const terms = { role, accessibleAppIds: accessibleIds(invitation), isManaged: false }
  if (directoryUserId === null) return terms
  joinAsInvitedUser(transaction, teamId, userId, now)
  if (role === 'owner') return terms
  const [groupRoles, groups] = await Promise.all([
    groupRolesOfTeams(transaction, [teamId]),
    readDirectoryGroups(transaction, teamId, [userId]),
  ])
  const managed = termsOfGroups(groupRoles, groups.get(userId) ?? [])
  return managed ? { ...managed, isManaged: true } : terms
}

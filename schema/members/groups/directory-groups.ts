import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { GroupRole } from './group-role.ts'

// A group of the directory has two names here, its name and its identifier in the directory: ID tokens of Entra ID contain only the latter.
const groupsOfUsers = statement<{ userId: string; groups: string[] }, [teamId: string, userIds: readonly string[]]>(
  'directory_groups_of_users',
  `SELECT k.id AS "userId", coalesce(json_agg(g.name) FILTER (WHERE g.name IS NOT NULL), '[]') AS groups
   FROM unnest($2::uuid[]) k(id) LEFT JOIN LATERAL (
     SELECT unnest(ARRAY[g.display_name, g.external_id]) AS name FROM scim_users s
     JOIN scim_group_members gm USING (team_id, user_id) JOIN scim_groups g ON g.id = gm.group_id
     WHERE s.team_id = $1 AND s.account_id = k.id) g ON true
   GROUP BY k.id`,
)

/** Returns the groups of users in the directory of a team, as it stated them through SCIM. */
export async function readDirectoryGroups(
  transaction: Transaction,
  teamId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await groupsOfUsers(transaction, teamId, userIds)
  return new Map(rows.map(({ userId, groups }) => [userId, groups]))
}

const usersInGroups = statement<{ id: string }, [teamId: string]>(
  'users_in_directory_groups',
  `SELECT DISTINCT s.account_id AS id FROM scim_group_members gm JOIN scim_users s USING (team_id, user_id)
   WHERE gm.team_id = $1 AND s.account_id IS NOT NULL`,
)

/** Returns the accounts of the users of a team who are in any group of its directory. */
export const usersInDirectoryGroups = async (transaction: Transaction, teamId: string): Promise<string[]> =>
  (await usersInGroups(transaction, teamId)).map(({ id }) => id)

const anyGroup = statement<{ id: string }, [teamId: string]>('any_directory_group', 'SELECT id FROM scim_groups WHERE team_id = $1 LIMIT 1')

/** Returns true if the directory of a team states groups. They then take precedence over those of sign-ins. */
export const hasDirectoryGroups = async (transaction: Transaction, teamId: string): Promise<boolean> =>
  (await anyGroup(transaction, teamId)).length > 0

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

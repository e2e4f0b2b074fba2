import type { Role } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { writeAuditEntry } from '../../core/audit/audit.ts'
import { endSignInsAtProvider } from '../../core/team-access/session-reach.ts'
import type { Context } from '../../core/context.ts'
import type { LockedTeam } from '../../core/database/locks.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { teamOfAddress } from '../../domains/verified.ts'
import { readDirectoryGroups, termsOfGroups } from '../../members/groups/directory-groups.ts'
import { groupRolesOfTeams } from '../../members/groups/group-role.ts'
import { joinTeam } from '../../members/groups/join-team.ts'
import { lastOwnerMessage } from '../../members/last-owner.ts'
import { ScimError } from '../protocol/error.ts'
import type { UserRow } from './queries.ts'

/** The role and the products of a user whom the directory adds, unless a group decides otherwise. */
const standardTerms = { role: 'member', accessibleAppIds: null } as const

/** Returns true if the team has verified the domain of an address. Its directory decides only about accounts with such addresses. */
export const isOwnAddress = async (transaction: Transaction, team: { id: string }, address: string): Promise<boolean> =>
  (await teamOfAddress(transaction, address))?.teamId === team.id

/** Makes a user a member of the locked team, with the role and the products of the groups. */
export async function addToTeam(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  user: { id: string; name: string },
): Promise<void> {
  const [groupRoles, groups] = await Promise.all([
    groupRolesOfTeams(transaction, [team.id]),
    readDirectoryGroups(transaction, team.id, [user.id]),
  ])
  const terms = termsOfGroups(groupRoles, groups.get(user.id) ?? [])
  joinTeam(transaction, context, 'provisionMember', { teamId: team.id, user, ...(terms ?? standardTerms), isManaged: terms !== null })
}

const otherOwner = statement<{ exists: boolean }, [teamId: string, userId: string]>(
  'other_owner_for_directory',
  'SELECT has_enabled_owner($1, $2) AS "exists"',
)
const deleteMember = statement<object, [teamId: string, userId: string]>(
  'delete_member_for_directory',
  'DELETE FROM members WHERE team_id = $1 AND user_id = $2',
)

const revokeInvitations = statement<
  { id: string; email: string; status: string },
  [teamId: string, userId: string, email: string | null, now: Date]
>(
  'revoke_invitations_by_directory',
  `UPDATE invitations SET status = 'revoked', answered_at = $4
   WHERE team_id = $1 AND (email = $3 OR directory_user_id = $2) AND status = 'pending'
   RETURNING id, email, CASE WHEN expires_at <= $4 THEN 'expired' ELSE 'pending' END AS status`,
)

/**
 * Deactivates a user of the locked team: ends the membership, and an invitation with which the user could join or return. Throws
 * `mutability` for the last owner.
 */
export async function removeFromTeam(transaction: Transaction, context: Context, team: LockedTeam, user: UserRow): Promise<void> {
  const { id, account, role } = user
  if (account && role !== null) await removeMember(transaction, context, team, { account, role, accessibleAppIds: user.accessibleAppIds })
  const email = role === null ? null : (account?.email ?? null)
  for (const invitation of await revokeInvitations(transaction, team.id, id, email, context.now())) {
    const changed = { before: { status: invitation.status }, after: { status: 'revoked' } }
    const entry = { teamId: team.id, subject: invitation.id, subjectName: invitation.email, ...changed }
    writeAuditEntry(transaction, context, 'revokeInvitation', entry)
  }
}

interface RemovedMember extends Pick<UserRow, 'accessibleAppIds'> {
  account: NonNullable<UserRow['account']>
  role: Role
}

async function removeMember(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  { account, role, accessibleAppIds }: RemovedMember,
): Promise<void> {
  const { id, name, email, emailVerified } = account
  const [other] = role === 'owner' ? await otherOwner(transaction, team.id, id) : []
  if (role === 'owner' && !other?.exists) throw new ScimError(409, 'mutability', lastOwnerMessage())
  transaction.defer(deleteMember(transaction, team.id, id))
  await sendNotice(transaction, context, { id, emailVerified }, 'removed-from-team', { team: team.name })
  const before = { email, role, accessibleAppIds }
  endSignInsAtProvider(transaction, { of: { teamId: team.id }, userId: id })
  writeAuditEntry(transaction, context, 'deprovisionMember', { teamId: team.id, subject: id, subjectName: name, before })
}

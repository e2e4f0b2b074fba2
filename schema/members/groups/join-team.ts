import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRow } from '../../../prisma/statement/write-row.ts'
import { accessColumns } from '../../apps/application.ts'
import { writeAuditEntry } from '../../core/audit/audit.ts'
import type { Recorder } from '../../core/audit/audit.ts'
import type { MemberTerms } from './directory-groups.ts'

interface Joining extends MemberTerms {
  teamId: string
  user: { id: string; name: string }
  /** True if groups decide the role and the products. */
  isManaged?: boolean
  /** Name of the identity provider through which the user signed in. */
  provider?: string
}

/** Makes a user, who is not a member, one of a team that the caller has locked. The audit entry is the event `member.joined`. */
export function joinTeam(
  transaction: Transaction,
  context: Recorder,
  action: 'joinThroughProvider' | 'provisionMember',
  { teamId, user, role, accessibleAppIds, isManaged = false, provider }: Joining,
): void {
  const member = { teamId, userId: user.id, role, ...accessColumns(accessibleAppIds), managed: isManaged, joinedAt: context.now() }
  transaction.defer(insertRow(transaction, 'members', member))
  if (action === 'joinThroughProvider') joinAsInvitedUser(transaction, teamId, user.id, member.joinedAt)
  const after = { role, accessibleAppIds, ...(provider !== undefined && { provider }) }
  writeAuditEntry(transaction, context, action, { teamId, subject: user.id, subjectName: user.name, after })
}

// Selects the users of the directory whose pending invitations to the team are to the verified address of an account.
const invited = `SELECT i.directory_user_id FROM invitations i JOIN users u ON u.email = i.email AND u.email_verified
  WHERE i.team_id = $1 AND i.status = 'pending' AND i.directory_user_id IS NOT NULL AND u.id = $2 LIMIT 1`

const releaseAccount = statement<object, [teamId: string, accountId: string]>(
  'release_account_of_other_directory_user',
  `UPDATE scim_users SET account_id = NULL WHERE team_id = $1 AND account_id = $2 AND user_id <> (${invited})`,
)
const assignAccount = statement<object, [teamId: string, accountId: string]>(
  'assign_account_to_invited_directory_user',
  `UPDATE scim_users SET account_id = $2 WHERE team_id = $1 AND user_id = (${invited})`,
)
const acceptInvitation = statement<object, [teamId: string, accountId: string, now: Date]>(
  'accept_invitation_of_directory_user',
  `UPDATE invitations SET status = 'accepted', accepted_by_id = $2, answered_at = $3
   WHERE team_id = $1 AND status = 'pending' AND directory_user_id = (${invited})`,
)

/**
 * Links the account of a user who joins the locked team to the user whom the directory invited at the verified address of the account, if
 * there is one. The identifier of that user stays the same. An inactive user of the directory who had the account loses it. Call it before
 * the invitation is accepted otherwise.
 */
export function joinAsInvitedUser(transaction: Transaction, teamId: string, accountId: string, now: Date): void {
  transaction.defer(releaseAccount(transaction, teamId, accountId))
  transaction.defer(assignAccount(transaction, teamId, accountId))
  transaction.defer(acceptInvitation(transaction, teamId, accountId, now))
}

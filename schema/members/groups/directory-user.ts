import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'

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

import type { User } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertSystemEntries, writeAuditEntries, writeAuditEntry } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import type { EndedSession } from '../../core/ports.ts'
import { invalid } from '../../core/errors.ts'
import type { FieldErrors } from '../../core/errors.ts'
import { lockAccount, lockUserTeams } from '../../core/database/locks.ts'
import { refused, invalidChoice } from '../../core/validation.ts'
import { lastOwnerMessage } from '../../members/last-owner.ts'
import { deleteLockedTeam } from '../../teams/team-deletion.ts'
import { endUserSessions } from '../end-sessions.ts'

/** A team of which the account is the last owner. */
export interface SolelyOwnedTeam {
  id: string
  slug: string
  name: string
  /** True if the team has members besides the owner. Such a team is not deleted together with the account. */
  hasOtherMembers: boolean
}

/** An account that is to be deleted, which is locked, and the sessions that ended. */
interface Leaving {
  user: User
  endedSessions: EndedSession[]
}

/**
 * Locks an account that is to be deleted, ends its sessions, and deletes the teams in `deleteTeams` (slugs), of which it must be the only
 * member. Returns null if the account was deleted already. Throws `last_owner` with the names of the other teams of which it is the last
 * owner; the teams are locked, so that their members do not change at the same time.
 */
export async function leaveTeams(
  transaction: Transaction,
  context: Context,
  userId: string,
  deleteTeams: readonly string[] = [],
): Promise<Leaving | null> {
  // Locks the teams before the account, in the order in which accepting an invitation locks them. The locked account cannot join further
  // teams; teams that it created or joined while this waited for the lock are locked by the second call. The statements are sent together
  // and run one after the other, each with the locks of those before it. If the deletion is refused, the rollback restores the sessions.
  const [, user, , owned, endedSessions] = await Promise.all([
    lockUserTeams(transaction, userId),
    lockAccount(transaction, { id: userId }),
    lockUserTeams(transaction, userId),
    findSolelyOwnedTeams(transaction, userId),
    endUserSessions(transaction, userId),
  ])
  if (!user) return null
  checkSelection(owned, deleteTeams)
  const remaining = owned.filter(({ slug }) => !deleteTeams.includes(slug))
  if (remaining.length > 0) throw invalid({ role: remaining.map(({ name, slug }) => lastOwnerMessage(`${name} (${slug})`)) }, 'last_owner')
  for (const { id, slug, name } of owned) {
    await deleteLockedTeam(transaction, context, id)
    writeAuditEntry(transaction, context, 'deleteTeam', { teamId: id, subject: slug, subjectName: name })
  }
  return { user, endedSessions }
}

/** Deletes an account with its memberships, tokens and grants. Returns and throws as `leaveTeams`. */
export async function deleteUserAccount(transaction: Transaction, context: Context, userId: string): Promise<Leaving | null> {
  const left = await leaveTeams(transaction, context, userId)
  if (!left) return null
  const { name } = left.user
  const memberships = await selectMemberships(transaction, userId)
  const entries = memberships.map(({ teamId, ...before }) => ({ teamId, subject: userId, subjectName: name, before }))
  if (entries.length > 0) writeAuditEntries(transaction, context, 'removeDeletedUser', entries)
  transaction.defer(deleteUser(transaction, userId))
  return left
}

const selectMemberships = statement<{ teamId: string; email: string; role: string }, [userId: string]>(
  'memberships_to_delete',
  `SELECT m.team_id AS "teamId", u.email, m.role FROM members m JOIN users u ON u.id = m.user_id JOIN teams t ON t.id = m.team_id
   WHERE m.user_id = $1 AND t.deleted_at IS NULL ORDER BY t.slug`,
)

/** Throws unless each of these teams is solely owned and has no other member. */
function checkSelection(owned: readonly SolelyOwnedTeam[], slugs: readonly string[]): void {
  const errors: FieldErrors = {}
  for (const [index, slug] of slugs.entries()) {
    const team = owned.find((each) => each.slug === slug)
    if (!team) errors[`deleteTeams.${index}`] = [invalidChoice]
    else if (team.hasOtherMembers)
      errors[`deleteTeams.${index}`] = [`The team ${team.name} (${slug}) has other members: make one of them an owner, or delete it first.`]
  }
  if (Object.keys(errors).length > 0) throw refused(errors)
}

const deleteUser = statement<object, [id: string]>('delete_user', 'DELETE FROM users WHERE id = $1')

/** SQL for the teams of which a user is the last owner. */
export const solelyOwnedTeams = {
  columns: `r.id, r.slug, r.name, EXISTS (SELECT FROM members o WHERE o.team_id = r.id AND o.user_id <> m.user_id) AS "hasOtherMembers"`,
  rows: (
    user: string,
  ) => `FROM members m JOIN teams r ON r.id = m.team_id WHERE m.user_id = ${user} AND m.role = 'owner' AND r.deleted_at IS NULL
    AND NOT has_enabled_owner(r.id, m.user_id)`,
}

const findSolelyOwnedTeams = statement<SolelyOwnedTeam, [userId: string]>(
  'solely_owned_teams',
  `SELECT ${solelyOwnedTeams.columns} ${solelyOwnedTeams.rows('$1')} ORDER BY r.slug`,
)

/**
 * Erases accounts whose deletion can no longer be undone, and records that their users leave their teams. An account that has become the last
 * owner of a team meanwhile, because another owner was disabled, waits. A sign-in at the same moment restores the account, or finds it erased.
 */
export const eraseDueAccounts = statement<{ count: number }, [before: Date]>(
  'erase_due_accounts',
  `WITH due AS MATERIALIZED (
     SELECT u.id, u.name, u.email FROM users u WHERE u.deletion_requested_at <= $1 AND NOT EXISTS (SELECT ${solelyOwnedTeams.rows('u.id')})
     ORDER BY u.deletion_requested_at LIMIT 100 FOR UPDATE SKIP LOCKED
   ), left_teams AS (
     SELECT m.team_id, due.id AS subject, due.name AS subject_name, jsonb_build_object('email', due.email, 'role', m.role) AS before, NULL::jsonb AS after
     FROM due JOIN members m ON m.user_id = due.id JOIN teams t ON t.id = m.team_id WHERE t.deleted_at IS NULL
   ), recorded AS (${insertSystemEntries('removeDeletedUser', 'now()', 'left_teams')}
   ), erased AS (DELETE FROM users u USING due WHERE u.id = due.id RETURNING 1)
   SELECT count(*)::int AS count FROM erased`,
)

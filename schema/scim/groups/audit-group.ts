import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { difference, writeAuditEntry } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'

interface GroupValues {
  displayName: string
  externalId: string | null
  members: ReadonlySet<string>
}

interface GroupChange {
  id: string
  teamId: string
  /** Absent for a new group. */
  before?: GroupValues
  /** Absent for a deleted group. */
  after?: GroupValues
  /** Identifiers of the users who were added or removed. */
  added?: readonly string[]
  removed?: readonly string[]
}

/** Maximum number of addresses of members in an entry: a directory can send all its users in one request. */
const maxNamed = 20

// Selects addresses, because the erasure of an account finds them in an entry, but not names
// (docs/operations/privacy.md#erasure-of-a-person). A user who left may have a private address now and is excluded.
const selectAddresses = statement<{ email: string }, [teamId: string, userIds: readonly string[]]>(
  'addresses_of_scim_members',
  `SELECT u.email FROM scim_users s JOIN members m ON m.team_id = s.team_id AND m.user_id = s.account_id JOIN users u ON u.id = m.user_id
   WHERE s.team_id = $1 AND s.user_id = ANY ($2::uuid[])
   ORDER BY u.email LIMIT ${maxNamed}`,
)

/** Writes the audit entry of a changed group: the values that differ, the number of members, and the added and removed users. */
export async function auditGroup(transaction: Transaction, context: Context, change: GroupChange): Promise<void> {
  const { id, teamId, added = [], removed = [] } = change
  const [before, after] = [toValues(change.before), toValues(change.after)]
  const changed = before && after ? difference(before, after) : { before, after }
  const [addedMembers, removedMembers] = await Promise.all([addresses(transaction, teamId, added), addresses(transaction, teamId, removed)])
  writeAuditEntry(transaction, context, before ? (after ? 'updateScimGroup' : 'deleteScimGroup') : 'createScimGroup', {
    teamId,
    subject: id,
    subjectName: (after ?? before)?.displayName,
    before: changed.before && { ...changed.before, ...(removedMembers.length > 0 && { removedMembers }) },
    after: changed.after && { ...changed.after, ...(addedMembers.length > 0 && { addedMembers }) },
  })
}

const toValues = (group: GroupValues | undefined) =>
  group && { displayName: group.displayName, externalId: group.externalId, memberCount: group.members.size }

async function addresses(transaction: Transaction, teamId: string, userIds: readonly string[]): Promise<string[]> {
  const rows = userIds.length === 0 ? [] : await selectAddresses(transaction, teamId, userIds)
  return rows.map(({ email }) => email)
}

import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { writeAuditEntry } from '../../core/audit.ts'
import { endSignInsAtProvider } from '../../core/team-access/session-reach.ts'
import type { Context } from '../../core/context.ts'
import type { LockedTeam } from '../../core/database/locks.ts'
import { sendNotice } from '../../core/notices/send-notice.ts'
import { domainOfAddress, teamOfAddress } from '../../domains/verified.ts'
import { directoryGroupsOf } from '../../members/groups/directory-groups.ts'
import { groupRolesOfTeams } from '../../members/groups/group-role.ts'
import { joinTeam } from '../../members/groups/join-team.ts'
import { termsOfGroups } from '../../members/groups/terms-of-groups.ts'
import { lastOwnerMessage } from '../../members/last-owner.ts'
import { invalidValue, ScimError } from '../protocol/error.ts'
import type { UserRow } from './queries.ts'

/** What a user whom the directory adds is, unless a group says otherwise. */
const standardTerms = { role: 'member', accessibleAppIds: null } as const

/** Throws unless the team has verified the domain of an address: otherwise its directory could add any account. */
export async function requireOwnDomain(
  transaction: Transaction,
  team: { id: string },
  address: string,
  refusal = `The team has not verified the domain ${domainOfAddress(address)}. An owner can verify it on the page Sign-in > Domains.`,
): Promise<void> {
  const owner = await teamOfAddress(transaction, address)
  if (owner?.teamId !== team.id) throw invalidValue(refusal)
}

/** Makes a user a member of the locked team, with the role and the products of the groups. */
export async function addToTeam(
  transaction: Transaction,
  context: Context,
  team: LockedTeam,
  user: { id: string; name: string },
): Promise<void> {
  const [groupRoles, groups] = await Promise.all([
    groupRolesOfTeams(transaction, [team.id]),
    directoryGroupsOf(transaction, team.id, [user.id]),
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

const revokeInvitations = statement<{ id: string; status: string }, [teamId: string, email: string, now: Date]>(
  'revoke_invitations_by_directory',
  `UPDATE invitations SET status = 'revoked', answered_at = $3 WHERE team_id = $1 AND email = $2 AND status = 'pending'
   RETURNING id, CASE WHEN expires_at <= $3 THEN 'expired' ELSE 'pending' END AS status`,
)

/** Removes a member of the locked team, and revokes an older invitation with which the member could return. Throws `mutability` for its last owner. */
export async function removeFromTeam(transaction: Transaction, context: Context, team: LockedTeam, user: UserRow): Promise<void> {
  const { id, account, role, accessibleAppIds } = user
  if (role === null) return
  const [other] = role === 'owner' ? await otherOwner(transaction, team.id, id) : []
  if (role === 'owner' && !other?.exists) throw new ScimError(409, 'mutability', lastOwnerMessage())
  transaction.defer(deleteMember(transaction, team.id, id))
  await sendNotice(transaction, context, { id, emailVerified: account.emailVerified }, 'removed-from-team', { team: team.name })
  const { email } = account
  for (const { id: subject, status } of await revokeInvitations(transaction, team.id, email, context.now())) {
    const changed = { before: { status }, after: { status: 'revoked' } }
    writeAuditEntry(transaction, context, 'revokeInvitation', { teamId: team.id, subject, subjectName: email, ...changed })
  }
  const before = { email, role, accessibleAppIds }
  endSignInsAtProvider(transaction, { of: { teamId: team.id }, userId: id })
  writeAuditEntry(transaction, context, 'deprovisionMember', { teamId: team.id, subject: id, subjectName: account.name, before })
}

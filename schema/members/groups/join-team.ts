import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { insertRow } from '../../../prisma/statement/write-row.ts'
import { accessColumns } from '../../apps/application.ts'
import { writeAuditEntry } from '../../core/audit/audit.ts'
import type { Recorder } from '../../core/audit/audit.ts'
import { joinAsInvitedUser } from './directory-user.ts'
import type { MemberTerms } from './terms-of-groups.ts'

interface Joining extends MemberTerms {
  teamId: string
  user: { id: string; name: string }
  /** True if groups decide the role and the products. */
  isManaged?: boolean
}

/** Makes a user, who is not a member, one of a team that the caller has locked. The audit entry is the event `member.joined`. */
export function joinTeam(
  transaction: Transaction,
  context: Recorder,
  action: 'joinThroughProvider' | 'provisionMember',
  { teamId, user, role, accessibleAppIds, isManaged = false }: Joining,
): void {
  const member = { teamId, userId: user.id, role, ...accessColumns(accessibleAppIds), managed: isManaged, joinedAt: context.now() }
  transaction.defer(insertRow(transaction, 'members', member))
  if (action === 'joinThroughProvider') joinAsInvitedUser(transaction, teamId, user.id, member.joinedAt)
  const after = { role, accessibleAppIds }
  writeAuditEntry(transaction, context, action, { teamId, subject: user.id, subjectName: user.name, after })
}

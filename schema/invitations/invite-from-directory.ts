import type { Transaction } from '../../prisma/statement/transaction.ts'
import { writeAuditEntry } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import { invite } from './invite.ts'
import { inviterColumns } from './rules.ts'

/**
 * Invites a user of the directory of the locked team whose address is not in a domain that the team has verified, so that the directory
 * cannot decide about it. A pending invitation of an owner keeps its role and products, unless it makes an owner. Throws `already_member`
 * and `rate_limited`.
 */
export async function inviteFromDirectory(
  transaction: Transaction,
  context: Context,
  { teamId, email, directoryUserId }: { teamId: string; email: string; directoryUserId: string },
): Promise<void> {
  const { invitation, isRenewed } = await invite(transaction, context, {
    teamId,
    email,
    inviter: inviterColumns(context),
    chooseTerms: (pending) => (pending && pending.role !== 'owner' ? pending : { role: 'member', accessibleAppIds: null }),
    directoryUserId,
  })
  const { id, role, allApplications, applications } = invitation
  const after = { role, accessibleAppIds: allApplications ? null : applications, renewed: isRenewed }
  writeAuditEntry(transaction, context, 'inviteFromDirectory', { teamId, subject: id, subjectName: email, after })
}

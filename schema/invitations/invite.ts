import type { Application, Invitation, Role } from '../../prisma/generated/client/client.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { accessColumns } from '../apps/application.ts'
import { writeAuditEntry } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import { sendInvitation } from './link.ts'
import { findRecipient, requireRecipient, inviterColumns } from './rules.ts'
import type { Inviter } from './sending-limits.ts'

interface InvitationTerms {
  role: Role
  accessibleAppIds: Application[] | null
}

/** An invitation without a reply. */
interface OpenInvitation extends InvitationTerms {
  id: string
  createdAt: string
  isExpired: boolean
  directoryUserId: string | null
}

const openInvitation = statement<OpenInvitation, [teamId: string, email: string, now: Date]>(
  'open_invitation',
  `SELECT id, created_at AS "createdAt", expires_at <= $3 AS "isExpired", role,
     CASE WHEN NOT all_applications THEN to_json(applications) END AS "accessibleAppIds", directory_user_id AS "directoryUserId"
   FROM invitations WHERE team_id = $1 AND email = $2 AND status = 'pending'`,
)

const expireInvitations = statement<object, [teamId: string, email: string, now: Date]>(
  'expire_invitations',
  `UPDATE invitations SET status = 'expired' WHERE team_id = $1 AND email = $2 AND status = 'pending' AND expires_at <= $3`,
)

interface Inviting {
  teamId: string
  email: string
  inviter: Inviter
  /** Returns the role and the products, which can be those of the pending invitation that is renewed. */
  chooseTerms(pending: InvitationTerms | null): InvitationTerms
  /** The invited user of the directory. Without it, the user of the renewed or replaced invitation is kept. */
  directoryUserId?: string
}

/**
 * Invites an address, or renews its pending invitation. Call it after the statement that locks the team, without an `await` in between.
 * Throws `already_member` and `rate_limited`.
 */
export async function invite(
  transaction: Transaction,
  context: Context,
  { teamId, email, inviter, chooseTerms, directoryUserId }: Inviting,
): Promise<{ invitation: Invitation; isRenewed: boolean }> {
  const now = context.now()
  const [recipient, [open]] = await Promise.all([
    findRecipient(transaction, context, teamId, email, inviter),
    openInvitation(transaction, teamId, email, now),
  ])
  requireRecipient(recipient)
  if (open?.isExpired) transaction.defer(expireInvitations(transaction, teamId, email, now))
  const pending = open && !open.isExpired ? open : undefined
  const { role, accessibleAppIds } = chooseTerms(pending ?? null)
  const data = {
    teamId,
    email,
    role,
    ...accessColumns(accessibleAppIds),
    ...inviter,
    directoryUserId: directoryUserId ?? open?.directoryUserId ?? null,
  }
  const renewed = pending && { id: pending.id, createdAt: new Date(pending.createdAt) }
  return { invitation: await sendInvitation(transaction, context, data, renewed), isRenewed: pending !== undefined }
}

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

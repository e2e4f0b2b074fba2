import { z } from 'zod'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { applicationAccess } from '../apps/application.ts'
import type { Context } from '../core/context.ts'
import { forbidden, invalid, rateLimited } from '../core/errors.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { emailAddress } from '../core/validation.ts'
import { role } from '../members/role.ts'

/** The properties of an invitation (docs/decisions/invitations.md#lifecycle). */
export const invitationRules = {
  email: emailAddress.describe('The address to invite.'),
  role: role.describe('The role assigned after acceptance.'),
  accessibleAppIds: applicationAccess.describe('The applications the member may use; null grants all team applications.'),
}
export const inviteRules = z.object({ ...invitationRules, accessibleAppIds: invitationRules.accessibleAppIds.default(null) })

/** Limits of invitation mails (docs/decisions/invitations.md#email). */
const windowSeconds = 3600
const windowMilliseconds = windowSeconds * 1000
const sendingLimits = [
  { policy: 'invitations-per-address', quota: 5, windowSeconds },
  { policy: 'invitations-per-team', quota: 100, windowSeconds },
] as const

export const alreadyMember = () => invalid({ email: ['This user already belongs to the team.'] }, 'already_member')

/** The time of the entry that fills the quota, if there is one in the window. */
const nthLatest = ({ quota }: { quota: number }, since: string, condition = '') => `
  (SELECT at FROM audit_entries WHERE team_id = $1 AND action IN ('inviteMember', 'resendInvitation') AND at > ${since} ${condition}
   ORDER BY at DESC OFFSET ${quota - 1} LIMIT 1)`

interface Recipient {
  isMember: boolean
  /** For each sending limit that is reached, the time of the mail whose end in the window ends the refusal. */
  limits: (string | null)[]
}

const recipientOf = statement<Recipient, [teamId: string, email: string, since: Date]>(
  'invitation_recipient',
  `SELECT EXISTS (SELECT FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND u.email = $2) AS "isMember",
     json_build_array(${nthLatest(sendingLimits[0], '$3', 'AND subject_name = $2')}, ${nthLatest(sendingLimits[1], '$3')}) AS limits`,
)

/**
 * Reads what `requireRecipient` checks. Call it after the statement that locks the team: audit entries are counted, so the count is
 * exact across concurrent requests and processes.
 */
export async function findRecipient(transaction: Transaction, context: Context, teamId: string, email: string) {
  const [recipient] = await recipientOf(transaction, teamId, email, new Date(context.now().getTime() - windowMilliseconds))
  return recipient
}

/** Throws `already_member` if the address belongs to a member of the team, and `rate_limited` if a sending limit is reached. */
export function requireRecipient(context: Context, recipient: Recipient | undefined): void {
  const now = context.now().getTime()
  if (recipient?.isMember) throw alreadyMember()
  for (const [index, limit] of sendingLimits.entries()) {
    const at = recipient?.limits[index]
    if (at) throw rateLimited(limit, (Date.parse(at) + windowMilliseconds - now) / 1000)
  }
}

/**
 * The columns that name the inviter, whose right to invite is checked again on acceptance. An operator cannot invite:
 * there would be no account or token to check.
 */
export function inviterColumns(context: Context) {
  const principal = requirePrincipal(context)
  if (principal.kind === 'operator') throw forbidden('role_required')
  return {
    invitedById: principal.kind === 'user' ? principal.user.id : null,
    invitedByTokenId: principal.kind === 'team' ? principal.credentialId : null,
  }
}

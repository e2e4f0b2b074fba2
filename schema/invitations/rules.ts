import { z } from 'zod'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { applicationAccess } from '../apps/application.ts'
import type { Context } from '../core/context.ts'
import { forbidden, invalid } from '../core/errors.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { mailAddress } from '../core/validation.ts'
import { role } from '../members/role.ts'
import { countInvitation } from './sending-limits.ts'
import type { Inviter } from './sending-limits.ts'

/** The properties of an invitation (docs/decisions/invitations.md#lifecycle). */
export const invitationRules = {
  email: mailAddress.describe('The email address to invite.'),
  role: role.describe('The role assigned after acceptance.'),
  accessibleAppIds: applicationAccess.describe('The products the member may use; null grants all products of the team.'),
}
export const inviteRules = z.object({ ...invitationRules, accessibleAppIds: invitationRules.accessibleAppIds.default(null) })

export const alreadyMember = () => invalid({ email: ['This user already belongs to the team.'] }, 'already_member')

const isMember = statement<{ isMember: boolean }, [teamId: string, email: string]>(
  'is_member',
  `SELECT EXISTS (SELECT FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND u.email = $2) AS "isMember"`,
)

/** Reads the values that `requireRecipient` checks, and counts the mail. Call it after the statement that locks the team. */
export async function findRecipient(transaction: Transaction, context: Context, teamId: string, email: string, inviter: Inviter) {
  const [[recipient], limited] = await Promise.all([
    isMember(transaction, teamId, email),
    countInvitation(transaction, context, teamId, email, inviter),
  ])
  return { isMember: recipient?.isMember === true, limited }
}

/** Throws `already_member` if the address belongs to a member of the team, and `rate_limited` if a sending limit is exceeded. */
export function requireRecipient({ isMember, limited }: Awaited<ReturnType<typeof findRecipient>>): void {
  if (isMember) throw alreadyMember()
  if (limited) throw limited
}

/**
 * Returns the columns of the inviter, whose right to invite is checked again on acceptance. An operator cannot invite: there would be no
 * account or credential to check.
 */
export function inviterColumns(context: Context): Inviter {
  const principal = requirePrincipal(context)
  if (principal.kind === 'operator' || principal.kind === 'staff') throw forbidden('role_required')
  return {
    invitedById: principal.kind === 'user' ? principal.user.id : null,
    invitedByTokenId: principal.authenticationMethod === 'team_token' ? principal.credentialId : null,
    invitedByMachineId: principal.kind === 'team' && principal.authenticationMethod !== 'team_token' ? principal.credentialId : null,
  }
}

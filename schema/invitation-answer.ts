import type { Transaction } from '../prisma/client.ts'
import type { Invitation } from '../prisma/generated/client/client.ts'
import { lockEnabledAccount } from './account-lock.ts'
import type { Context } from './context.ts'
import { invalid, notFound, unauthenticated } from './errors.ts'
import { statusAt } from './invitation.ts'
import { lockTeam } from './ownership.ts'
import { authenticated } from './reach.ts'
import type { Requirement } from './requires.ts'
import { sha256 } from './secret.ts'
import { liveTokens } from './token.ts'

/**
 * A person answers for themselves: in a session, or with a personal token that may deal with invitations. A client's
 * grant is bound to its team and a team token is nobody, so neither can.
 */
export const answerable: Requirement = { scopes: ['acct:team:invitations:write'], via: ['session', 'personal_token'] }

/**
 * The pending invitation behind a link's secret, with its team locked, for the person it was sent to (decisions §6).
 * A link that never was or was renewed is `not_found`; one that is spent or expired says so.
 */
export async function invitationToAnswer(transaction: Transaction, context: Context, token: string) {
  const principal = authenticated(context)
  if (principal.kind !== 'user') throw notFound()
  const tokenHash = sha256(token)
  const found = await transaction.invitation.findUnique({ where: { tokenHash } })
  if (!found) throw notFound()
  await lockTeam(transaction, found.teamId)
  const present = await transaction.invitation.findUnique({ where: { tokenHash } })
  if (!present) throw notFound('renewed meanwhile')
  const status = statusAt(present, context.now())
  if (status !== 'pending') throw invalid({ token: [`The invitation is ${status}.`] })
  // Locked, so that their account is not deleted while they join.
  const person = await lockEnabledAccount(transaction, { id: principal.user.id })
  if (!person) throw unauthenticated()
  if (person.email !== present.email || !person.emailVerified)
    throw invalid({ email: ['The invitation is for another address: sign in with the invited one, and verify it.'] })
  return { present, person }
}

/** Refuses an invitation whose inviter may no longer invite. Declining it needs nobody's leave. */
export async function refuseVoid(transaction: Transaction, context: Context, invitation: Invitation): Promise<void> {
  if (!(await inviterIsOwner(transaction, context, invitation)))
    throw invalid({ token: ['The one who sent this invitation may no longer invite.'] })
}

/** An invitation stands on its inviter: an owner still, or a token still live. */
export async function inviterIsOwner(transaction: Transaction, context: Context, { teamId, invitedById, invitedByTokenId }: Invitation) {
  if (invitedById !== null)
    return (await transaction.member.count({ where: { teamId, userId: invitedById, role: 'owner', user: { disabledAt: null } } })) > 0
  if (invitedByTokenId === null) return false
  return (await transaction.accessToken.count({ where: { id: invitedByTokenId, ...liveTokens(context.now()) } })) > 0
}

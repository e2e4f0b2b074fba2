import type { Transaction } from '../prisma/client.ts'
import type { Member } from '../prisma/generated/client/client.ts'
import type { Context } from './context.ts'
import { forbidden, invalid, notFound } from './errors.ts'
import { authenticated } from './reach.ts'
import { isRecent } from './requires.ts'
import { isIdentifier } from './validation.ts'

// A team keeps an owner, whichever door and however many at once. The trigger `members_last_owner` holds the rule in
// the database against every other writer; here it is told in the caller's words.

/**
 * The member under the lock of the team, or `not_found`. Whoever changes members of one team queues here, so what was
 * read stays true until the transaction ends.
 */
export async function lockMember(transaction: Transaction, teamId: string, userId: string): Promise<Member> {
  await lockTeam(transaction, teamId)
  const member = isIdentifier(userId) ? await transaction.member.findUnique({ where: { teamId_userId: { teamId, userId } } }) : null
  if (!member) throw notFound()
  return member
}

/** Takes the row lock that every change of a team's members and invitations holds. */
export async function lockTeam(transaction: Transaction, teamId: string): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM teams WHERE id = ${teamId}::uuid FOR UPDATE`
}

/** The same lock for every team of a person, in one order, so that two who take several never wait for each other. */
export async function lockTeamsOf(transaction: Transaction, userId: string): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM teams WHERE id IN (SELECT team_id FROM members WHERE user_id = ${userId}::uuid) ORDER BY id FOR UPDATE`
}

/** Refuses when the team, locked, has but one owner, who is about to stop being one. */
export async function keepAnOwner(transaction: Transaction, teamId: string): Promise<void> {
  const owners = await transaction.member.count({ where: { teamId, role: 'owner' } })
  if (owners < 2) throw invalid({ role: ['The team must keep at least one owner.'] }, 'last_owner')
}

/**
 * A team token acts as an owner, but may never make one (decisions §5). A session may shortly after signing in: a screen
 * that was left unlocked is not to give the team away.
 */
export function mayMakeOwner(context: Context): void {
  const principal = authenticated(context)
  if (principal.kind === 'team') throw forbidden('role_required')
  if (!isRecent(principal, context.now())) throw forbidden('recent_sign_in_required')
}

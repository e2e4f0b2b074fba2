import type { Transaction } from '../prisma/client.ts'
import { lockAccount } from './account-lock.ts'
import type { EndedSession } from './context.ts'
import { invalid } from './errors.ts'
import { lockTeamsOf } from './ownership.ts'
import { endSessionsOf } from './session-end.ts'

/**
 * Deletes an account with its memberships, tokens and grants; answers the sessions that ended with it, null where it is
 * gone already. Refused, naming them, while it is the last owner of teams: they are locked, so that they stay what they
 * were found to be.
 */
export async function deleteAccountOf(transaction: Transaction, userId: string): Promise<EndedSession[] | null> {
  // Teams before the person, as whoever accepts an invitation takes them. From then on nobody makes them a member of
  // another; those which they created or joined while they were waited for are found the second time.
  await lockTeamsOf(transaction, userId)
  await lockAccount(transaction, { id: userId })
  await lockTeamsOf(transaction, userId)
  const owned = await teamsOwnedAlone(transaction, userId)
  if (owned.length > 0)
    throw invalid({ role: owned.map(({ name, slug }) => `The team ${name} (${slug}) must keep at least one owner.`) }, 'last_owner')
  const ended = await endSessionsOf(transaction, userId)
  const { count } = await transaction.user.deleteMany({ where: { id: userId } })
  return count > 0 ? ended : null
}

/** The teams whose last owner a person is. */
export const teamsOwnedAlone = (transaction: Transaction, userId: string) =>
  transaction.team.findMany({
    where: {
      members: { some: { userId, role: 'owner' } },
      NOT: { members: { some: { userId: { not: userId }, role: 'owner' } } },
    },
    orderBy: { slug: 'asc' },
  })

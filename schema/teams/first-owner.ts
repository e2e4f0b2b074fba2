import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { User } from '../../prisma/generated/client/client.ts'
import { lockAccount, lockCaller } from '../core/database/locks.ts'
import type { Context } from '../core/context.ts'
import { forbidden, invalid, rateLimited } from '../core/errors.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'

/** Maximum number of teams that one user can create per day. */
const creationLimit = { policy: 'teams-per-person', quota: 20, windowSeconds: 86_400 } as const

/** Finds and locks the first owner of a new team: the user who creates it, or the account in an operator's input, if any. */
export async function findFirstOwner(
  transaction: Transaction,
  context: Context,
  ownerEmail: string | null | undefined,
): Promise<User | null> {
  const principal = requirePrincipal(context)
  if (principal.kind === 'user') {
    if (ownerEmail != null) throw forbidden('role_required')
    return lockCreator(transaction, context, principal.user.id)
  }
  const user = ownerEmail ? await lockAccount(transaction, { email: ownerEmail }) : null
  if (ownerEmail && !user) throw invalid({ owner: ['The selected owner is invalid.'] })
  return user
}

/** Locks the user who creates a team, so that the count of their teams is exact and their account is not deleted by a concurrent request. */
async function lockCreator(transaction: Transaction, context: Context, id: string): Promise<User> {
  const user = await lockCaller(transaction, id)
  if (!user.emailVerified) throw invalid({ email: ['Verify your email address before you create a team.'] })
  const { quota, windowSeconds } = creationLimit
  const windowMilliseconds = windowSeconds * 1000
  const now = context.now().getTime()
  const [oldest] = await oldestCreation(transaction, id, new Date(now - windowMilliseconds), quota - 1)
  if (oldest) throw rateLimited(creationLimit, (Date.parse(oldest.at) + windowMilliseconds - now) / 1000)
  return user
}

// The partial index covers only these entries, and PostgreSQL uses it only if the action is a literal.
const oldestCreation = statement<{ at: string }, [userId: string, since: Date, offset: number]>(
  'oldest_counted_team',
  `SELECT at FROM audit_entries WHERE action = 'createTeam' AND actor_user_id = $1 AND at > $2 ORDER BY at DESC OFFSET $3 LIMIT 1`,
)

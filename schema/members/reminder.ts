import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Context } from '../core/context.ts'
import { invalid, rateLimited } from '../core/errors.ts'
import type { RateLimit } from '../core/errors.ts'
import type { MemberToChange } from './queries.ts'

/** The limit is one reminder of each kind per day. */
const limit = { quota: 1, windowSeconds: 86_400, counted: 'reminders to this member' } satisfies Omit<RateLimit, 'policy'>

// The statement runs with the team locked, so that parallel requests send one email. The audit entries contain the times of reminders.
const lastReminder = statement<
  { isDisabled: boolean; lastAt: string | null },
  [teamId: string, userId: string, action: string, since: Date]
>(
  'last_reminder_of_member',
  `SELECT u.disabled_at IS NOT NULL AS "isDisabled",
     (SELECT max(at) FROM audit_entries WHERE team_id = $1 AND action = $3 AND subject = u.id::text AND at > $4) AS "lastAt"
   FROM users u WHERE u.id = $2`,
)

/** Throws unless a member of the locked team can get an email and was not reminded by the same operation within a day. */
export async function requireRemindable(
  transaction: Transaction,
  context: Context,
  { teamId, id, emailVerified }: MemberToChange,
  { action, policy }: { action: string; policy: string },
): Promise<void> {
  const since = new Date(context.now().getTime() - limit.windowSeconds * 1000)
  const [last] = await lastReminder(transaction, teamId, id, action, since)
  if (last?.isDisabled || !emailVerified) throw invalid({ userId: ['This member has no verified email address, or a disabled account.'] })
  if (last?.lastAt) throw rateLimited({ policy, ...limit }, (Date.parse(last.lastAt) - since.getTime()) / 1000)
}

import type { Invitation } from '../../prisma/generated/client/client.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Context } from '../core/context.ts'
import { rateLimited } from '../core/errors.ts'
import type { DomainError, RateLimit } from '../core/errors.ts'

// Limits of invitation mails (docs/decisions/invitations.md#limits). They go to people outside the team, with names that the sender chose.
const hour = 3600
const day = 24 * hour
const toAddress = 'invitations to this email address'

/** Limits of the last hour. The audit log and the invitations contain the times at which mails were requested. */
const hourlyLimits = [
  { policy: 'invitations-per-address', quota: 5, windowSeconds: hour, counted: toAddress },
  { policy: 'invitations-per-team', quota: 100, windowSeconds: hour, counted: 'invitations of this team' },
  { policy: 'invitations-of-other-teams', quota: 1, windowSeconds: hour, counted: toAddress },
] as const satisfies RateLimit[]

/** The limit per person over all teams, for a day that starts with the first mail. */
const perPerson = { policy: 'invitations-per-person', windowSeconds: day, counted: 'invitations in a day' }
const perAddress: RateLimit = { policy: 'invitations-per-address-and-day', quota: 10, windowSeconds: day, counted: toAddress }

/** Builds a query for the time of the entry that fills the quota, if there is one in the window. */
const nthLatest = ({ quota }: RateLimit, condition = '') => `
  (SELECT at FROM audit_entries WHERE team_id = $1 AND action IN ('inviteMember', 'resendInvitation', 'inviteFromDirectory') AND at > $3 ${condition}
   ORDER BY at DESC OFFSET ${quota - 1} LIMIT 1)`

const hourlyCounts = statement<{ times: (string | null)[] }, [teamId: string, email: string, since: Date]>(
  'hourly_invitations',
  `SELECT json_build_array(${nthLatest(hourlyLimits[0], 'AND subject_name = $2')}, ${nthLatest(hourlyLimits[1])},
     (SELECT max(sent_at) FROM invitations
      WHERE email = $2 AND team_id <> $1 AND sent_at > $3 AND status NOT IN ('accepted', 'declined'))) AS times`,
)

/** The sender of an invitation: a user, or a team token or machine, for which the user who created it counts, if there is one. */
export type Inviter = Pick<Invitation, 'invitedById' | 'invitedByTokenId' | 'invitedByMachineId'>

// The rows stay locked until the transaction ends. Every transaction locks that of the sender first, which prevents deadlocks.
const countForDay = statement<
  { points: number; expire: number },
  [userId: string | null, credentialId: string | null, addressKey: string, now: number, end: number]
>(
  'count_invitation',
  `INSERT INTO attempt_counts AS c (key, points, expire) VALUES
     ('${perPerson.policy}:' || coalesce($1, (SELECT created_by_id FROM access_tokens WHERE id = $2),
       (SELECT created_by_id FROM workload_identities WHERE id = $2), $2)::text, 1, $5::bigint), ($3, 1, $5)
   ON CONFLICT (key) DO UPDATE SET points = CASE WHEN c.expire > $4 THEN c.points + 1 ELSE 1 END,
     expire = CASE WHEN c.expire > $4 THEN c.expire ELSE $5 END
   RETURNING points, expire`,
)

/**
 * Counts an invitation mail. Returns `rate_limited` if it exceeds a limit; of several limits, the one that ends last. The transaction must
 * then be rolled back, so that refused mails do not count. Call it after the statement that locks the team, without an `await` in between.
 * The locks of the team and of the counted rows make every limit exact across requests and processes.
 */
export async function countInvitation(
  transaction: Transaction,
  context: Context,
  teamId: string,
  email: string,
  { invitedById, invitedByTokenId, invitedByMachineId }: Inviter,
): Promise<DomainError | undefined> {
  const now = context.now().getTime()
  const key = context.deriveSecret('invited address', Buffer.from(email)).toString('base64url')
  const [[person, address], [counts]] = await Promise.all([
    countForDay(transaction, invitedById, invitedByTokenId ?? invitedByMachineId, `${perAddress.policy}:${key}`, now, now + day * 1000),
    hourlyCounts(transaction, teamId, email, new Date(now - hour * 1000)),
  ])
  const reached: { limit: RateLimit; end: number }[] = []
  for (const [index, limit] of hourlyLimits.entries()) {
    const at = counts?.times[index]
    if (at) reached.push({ limit, end: Date.parse(at) + hour * 1000 })
  }
  const quota = context.rateLimitInvitations
  if (person && quota > 0 && person.points > quota) reached.push({ limit: { ...perPerson, quota }, end: person.expire })
  if (address && address.points > perAddress.quota) reached.push({ limit: perAddress, end: address.expire })
  const [last] = reached.toSorted((a, b) => b.end - a.end)
  return last && rateLimited(last.limit, (last.end - now) / 1000)
}

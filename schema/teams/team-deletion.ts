import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Team } from '../../prisma/generated/client/client.ts'
import type { Context } from '../core/context.ts'
import type { Ports } from '../core/ports.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'

export type DeletedTeam = Pick<Team, 'slug' | 'name' | 'deletedAt'>

const dayMilliseconds = 86_400_000

/** Returns the time until which a team that was deleted at this time can be restored (docs/decisions/resources.md#deleted-teams). */
export const restorableUntil = (deletedAt: Date, { deletedTeamDays }: Pick<Ports, 'deletedTeamDays'>): Date =>
  new Date(deletedAt.getTime() + deletedTeamDays * dayMilliseconds)

/** Returns the time after which a team must have been deleted to be restorable. */
export const restorableAfter = ({ now, deletedTeamDays }: Pick<Ports, 'now' | 'deletedTeamDays'>): Date =>
  new Date(now().getTime() - deletedTeamDays * dayMilliseconds)

/** Builds an SQL condition: team `r` is deleted and can still be restored at this time, within this number of days. */
export const restorableAt = (now: string, days: string) => `r.deleted_at > ${now} - ${days}::int * interval '1 day' AND r.erased_at IS NULL`

/**
 * Deletes a team, which the caller has locked, and queues a mail to each owner. Every access to a team checks `deletedAt`, so few other
 * rows change: a restored team has its members, tokens and grants as before. Its clients, which also have grants to other teams, are
 * disabled, and its pending invitations are revoked by the trigger `teams_deleted`.
 */
export async function deleteLockedTeam(transaction: Transaction, context: Context, id: string): Promise<DeletedTeam> {
  const at = context.now()
  const [[team], owners] = await Promise.all([markAsDeleted(transaction, id, at), selectOwners(transaction, id)])
  if (!team) throw new Error('a team that was locked does not exist')
  const until = restorableUntil(at, context)
  const mail = { kind: 'team-deleted', teamId: id, at: at.toISOString(), until: until.toISOString() } as const
  for (const { email } of owners) await context.sendMail(transaction, { ...mail, recipient: email, actor: actorFor(context, email) })
  return { ...team, deletedAt: at }
}

const markAsDeleted = statement<Pick<Team, 'slug' | 'name'>, [id: string, at: Date]>(
  'mark_team_as_deleted',
  `WITH disabled AS (UPDATE oauth_clients SET disabled_at = $2, updated_at = $2 WHERE owner_team_id = $1 AND disabled_at IS NULL)
   UPDATE teams SET deleted_at = $2, updated_at = $2 WHERE id = $1 RETURNING slug, name`,
)

const selectOwners = statement<{ email: string }, [teamId: string]>(
  'owners_of_deleted_team',
  `SELECT u.email FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND m.role = 'owner' ORDER BY m.joined_at, m.user_id`,
)

/** Returns the name of the user who deletes the team, or null for the mail to that user. */
function actorFor(context: Context, recipient: string): string | null {
  const principal = requirePrincipal(context)
  if (principal.kind !== 'user') return 'An operator of this service'
  return principal.user.email === recipient ? null : principal.user.name
}

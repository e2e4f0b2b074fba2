import { advisoryLocks } from '../../prisma/advisory-locks.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Team } from '../../prisma/generated/client/client.ts'
import type { Context, Ports } from '../core/context.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'

export type DeletedTeam = Pick<Team, 'slug' | 'name' | 'deletedAt'>

const dayMilliseconds = 86_400_000

/** Until when a team that was deleted at this time can be restored (docs/decisions/resources.md#deleted-teams). */
export const restorableUntil = (deletedAt: Date, { deletedTeamDays }: Pick<Ports, 'deletedTeamDays'>): Date =>
  new Date(deletedAt.getTime() + deletedTeamDays * dayMilliseconds)

/** A team can be restored if it was deleted after this time. */
export const restorableAfter = ({ now, deletedTeamDays }: Pick<Ports, 'now' | 'deletedTeamDays'>): Date =>
  new Date(now().getTime() - deletedTeamDays * dayMilliseconds)

/** An SQL condition: team `r` is deleted and can still be restored at this time, within this number of days. */
export const restorableAt = (now: string, days: string) => `r.deleted_at > ${now} - ${days}::int * interval '1 day' AND r.erased_at IS NULL`

/**
 * Deletes a team, which the caller has locked, and queues a mail to each owner. Every way to a team checks `deletedAt`, so
 * little else is written: a restored team has its members, tokens and grants as before. Its clients, which also have grants to other
 * teams, are disabled, and its pending invitations are revoked by the trigger `teams_deleted`.
 */
export async function deleteLockedTeam(transaction: Transaction, context: Context, id: string): Promise<DeletedTeam> {
  const at = context.now()
  const [[team], owners] = await Promise.all([markAsDeleted(transaction, id, at), ownersOf(transaction, id)])
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

const ownersOf = statement<{ email: string }, [teamId: string]>(
  'owners_of_deleted_team',
  `SELECT u.email FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1 AND m.role = 'owner' ORDER BY m.joined_at, m.user_id`,
)

/** Who deletes the team, for this recipient: null for the recipient. */
function actorFor(context: Context, recipient: string): string | null {
  const principal = requirePrincipal(context)
  if (principal.kind !== 'user') return 'An operator of this service'
  return principal.user.email === recipient ? null : principal.user.name
}

/**
 * Erases teams that were deleted at `before` or earlier, at most 100 at a time, and returns how many. What remains is the row
 * with its slug, and the invoices; a team with invoices keeps its name, which is part of them.
 */
export const eraseTeams = statement<{ count: number }, [before: Date, now: Date]>(
  'erase_teams',
  `WITH expired AS (
     SELECT id FROM teams WHERE (SELECT pg_try_advisory_xact_lock(${advisoryLocks.cleanup})) AND deleted_at <= $1 AND erased_at IS NULL LIMIT 100 FOR UPDATE SKIP LOCKED),
   without_members AS (DELETE FROM members WHERE team_id IN (SELECT id FROM expired)),
   without_invitations AS (DELETE FROM invitations WHERE team_id IN (SELECT id FROM expired)),
   without_apps AS (DELETE FROM connected_apps WHERE team_id IN (SELECT id FROM expired)),
   without_logos AS (DELETE FROM pictures WHERE team_id IN (SELECT id FROM expired)),
   without_tokens AS (DELETE FROM access_tokens WHERE team_id IN (SELECT id FROM expired)),
   without_webhooks AS (DELETE FROM webhooks WHERE team_id IN (SELECT id FROM expired)),
   without_providers AS (DELETE FROM identity_providers WHERE team_id IN (SELECT id FROM expired)),
   without_group_roles AS (DELETE FROM group_roles WHERE team_id IN (SELECT id FROM expired)),
   without_directory_users AS (DELETE FROM scim_users WHERE team_id IN (SELECT id FROM expired)),
   without_directory_groups AS (DELETE FROM scim_groups WHERE team_id IN (SELECT id FROM expired)),
   without_directory_removals AS (DELETE FROM directory_removals WHERE team_id IN (SELECT id FROM expired)),
   without_directory_errors AS (DELETE FROM directory_errors WHERE team_id IN (SELECT id FROM expired)),
   without_identities AS (DELETE FROM workload_identities WHERE team_id IN (SELECT id FROM expired)),
   without_domains AS (DELETE FROM team_domains WHERE team_id IN (SELECT id FROM expired)),
   without_clients AS (DELETE FROM oauth_clients WHERE owner_team_id IN (SELECT id FROM expired)),
   without_grants AS (DELETE FROM oauth_grants WHERE team_id IN (SELECT id FROM expired)),
   erased AS (
     UPDATE teams t SET timezone = NULL, gravatar_email = NULL, logo_id = NULL, sign_in_provider_id = NULL, sign_in_required_at = NULL,
       sign_in_requirement_set_at = NULL,
       updated_at = $2, erased_at = $2,
       name = CASE WHEN EXISTS (SELECT FROM invoices i WHERE i.team_id = t.id) THEN t.name ELSE t.slug END
     WHERE t.id IN (SELECT id FROM expired) RETURNING 1)
   SELECT count(*) AS count FROM erased`,
)

import type { Database } from '../../prisma/connection/database.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Executor } from '../../prisma/statement/statement.ts'
import { eraseDueAccounts } from '../../schema/accounts/deletion/deletion.ts'
import { deletionDays } from '../../schema/accounts/deletion/pending-deletion.ts'
import { buildBatch, batchSize, isOnlyCleanup } from './cleanup-batch.ts'
import { eraseTeams } from './erase-teams.ts'

/** Days after which data is deleted; 0 keeps it forever. */
export interface RetentionSettings {
  auditDays: number
  endedInvitationDays: number
  endedTokenDays: number
  endedGrantDays: number
  /** The minimum is 1, because a deleted team is never kept forever. */
  deletedTeamDays: number
}

type Batch = (database: Database, before: Date, now: Date) => Promise<{ count: number }[]>

const dayMilliseconds = 86_400_000

/** Only this function can delete audit entries (prisma/migrations). */
const deleteAuditEntries = statement<{ count: number }, [time: Date]>(
  'clean_up_audit_entries',
  `SELECT CASE WHEN ${isOnlyCleanup} THEN "delete_audit_entries"($1, ${batchSize}) ELSE 0 END AS count`,
)

/** Erases the accounts whose deletion can no longer be undone. */
export const eraseDeletedAccounts = (executor: Executor, now: Date): Promise<{ count: number }[]> =>
  eraseDueAccounts(executor, new Date(now.getTime() - deletionDays * dayMilliseconds))

/** Replaces the names and addresses of deleted accounts in audit entries, and deletes invitations to these addresses. */
export const eraseDeletedUsers = statement<{ count: number }, [now: Date]>(
  'erase_deleted_users',
  `SELECT CASE WHEN ${isOnlyCleanup} THEN "erase_deleted_users"($1, ${batchSize}) ELSE 0 END AS count`,
)

/** Returns the batch that executes a statement in a transaction of its own. */
const executeAlone =
  (deletion: ReturnType<typeof buildBatch>): Batch =>
  ({ pool }, before) =>
    deletion(pool, before)

const batches: Record<keyof RetentionSettings, Batch> = {
  // Teams come first, because their invitations, tokens and grants are deleted with them.
  deletedTeamDays: eraseTeams,
  auditDays: executeAlone(deleteAuditEntries),
  endedInvitationDays: executeAlone(buildBatch('invitations', 'id', 'coalesce(answered_at, expires_at) < $1')),
  endedTokenDays: executeAlone(buildBatch('access_tokens', 'id', 'least(expires_at, revoked_at) < $1')),
  endedGrantDays: executeAlone(buildBatch('oauth_grants', 'id', 'least(expires_at, revoked_at) < $1')),
}

/** Returns the batches that delete or erase data that is older than the settings allow. */
export const retentionBatches = (settings: RetentionSettings): ((database: Database, now: Date) => ReturnType<Batch>)[] =>
  Object.entries(batches).flatMap(([name, batch]) => {
    const days = new Map<string, number>(Object.entries(settings)).get(name) ?? 0
    return days === 0 ? [] : (database, now) => batch(database, new Date(now.getTime() - days * dayMilliseconds), now)
  })

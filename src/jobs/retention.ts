import { statement } from '../../prisma/statement.ts'
import { batchOf, batchSize, isOnlyCleanup } from './clean-up-batch.ts'

/** Days for which data is kept; 0 for ever. */
export interface RetentionSettings {
  auditDays: number
  endedInvitationDays: number
  endedTokenDays: number
  endedGrantDays: number
}

type Batch = ReturnType<typeof batchOf>

/** Audit entries can be deleted by this function alone (prisma/migrations). */
const deleteAuditEntries = statement<{ count: number }, [time: Date]>(
  'clean_up_audit_entries',
  `SELECT CASE WHEN ${isOnlyCleanup} THEN "delete_audit_entries"($1, ${batchSize}) ELSE 0 END AS count`,
)

/** Replaces the names and addresses of deleted accounts in audit entries, and deletes invitations to these addresses. */
export const eraseDeletedUsers = statement<{ count: number }, [now: Date]>(
  'erase_deleted_users',
  `SELECT CASE WHEN ${isOnlyCleanup} THEN "erase_deleted_users"($1, ${batchSize}) ELSE 0 END AS count`,
)

const batches: Record<keyof RetentionSettings, Batch> = {
  auditDays: deleteAuditEntries,
  endedInvitationDays: batchOf('invitations', 'id', 'coalesce(answered_at, expires_at) < $1'),
  endedTokenDays: batchOf('access_tokens', 'id', 'least(expires_at, revoked_at) < $1'),
  endedGrantDays: batchOf('oauth_grants', 'id', 'least(expires_at, revoked_at) < $1'),
}

const dayMilliseconds = 86_400_000

/** The batches that delete what is older than the settings allow. */
export const retentionBatches = (settings: RetentionSettings): Batch[] =>
  Object.entries(settings).flatMap(([name, days]) => {
    const batch = new Map<string, Batch>(Object.entries(batches)).get(name)
    if (!batch || days === 0) return []
    return (executor, now) => batch(executor, new Date(now.getTime() - days * dayMilliseconds))
  })

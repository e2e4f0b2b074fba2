import { statement } from '../../prisma/statement/statement.ts'
import type { Executor } from '../../prisma/statement/statement.ts'
import { insertSystemEntries } from '../core/audit/audit.ts'

// This module writes audit entries, and so events, for timed changes, which no request makes. Overdue invoices get theirs with the email
// about them (schema/invoices/announcements.ts). Each statement marks and records at most this many rows at once, and skips those that
// another process is recording.
const batchSize = 100

/** Selects the rows of `due` as subjects of entries. */
const subjects = (name: string) =>
  `(SELECT team_id, id AS subject, ${name} AS subject_name, NULL::jsonb AS before, NULL::jsonb AS after FROM due)`

const recordExpiredInvitations = statement<{ id: string }, [now: Date]>(
  'record_expired_invitations',
  `WITH due AS (
     SELECT i.id, i.team_id, i.email FROM invitations i JOIN teams t ON t.id = i.team_id
     WHERE i.status IN ('pending', 'expired') AND i.expiry_recorded_at IS NULL AND i.expires_at <= $1 AND t.deleted_at IS NULL
     ORDER BY i.expires_at LIMIT ${batchSize} FOR UPDATE OF i SKIP LOCKED
   ), marked AS (UPDATE invitations i SET expiry_recorded_at = $1 FROM due WHERE i.id = due.id)
   ${insertSystemEntries('expireInvitation', '$1', `${subjects('email')} d`)} RETURNING id`,
)

/** A token that lives for less than the notice is not announced. */
const recordExpiringTokens = statement<{ id: string }, [now: Date]>(
  'record_expiring_tokens',
  `WITH due AS (
     SELECT a.id, a.team_id, a.name, n.number FROM access_tokens a JOIN teams t ON t.id = a.team_id
     JOIN (VALUES (1, interval '7 days'), (2, interval '1 day')) n (number, notice)
       ON n.number > a.expiry_events AND a.expires_at <= $1::timestamptz + n.notice AND a.expires_at - a.created_at > n.notice
     WHERE a.kind = 'team' AND a.revoked_at IS NULL AND a.expiry_events < 2 AND a.expires_at <= $1::timestamptz + interval '7 days'
       AND a.expires_at > $1 AND t.deleted_at IS NULL
       AND NOT (n.number = 1 AND a.expires_at <= $1::timestamptz + interval '1 day')
     ORDER BY a.expires_at LIMIT ${batchSize} FOR UPDATE OF a SKIP LOCKED
   ), marked AS (UPDATE access_tokens a SET expiry_events = due.number FROM due WHERE a.id = due.id)
   ${insertSystemEntries('announceTokenExpiry', '$1', `${subjects('name')} d`)} RETURNING id`,
)

/** Records some of the timed changes. Returns the number of entries. */
export async function recordTimedEvents(executor: Executor, now: Date): Promise<number> {
  const recorded = await Promise.all([recordExpiredInvitations(executor, now), recordExpiringTokens(executor, now)])
  return recorded.flat().length
}

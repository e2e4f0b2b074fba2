import type { Database } from '../../prisma/connection/database.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { queueSchema } from '../jobs/queue.ts'

/** Name of the queue of the mails. */
export const mailQueue = 'mail'

/** States of pg-boss by the state in the output for operators. */
const jobStates = {
  pending: ['created', 'retry', 'active'],
  sent: ['completed'],
  failed: ['failed', 'cancelled'],
} as const

/** `sent` includes mails that were dropped because they were out of date. */
export type MailState = keyof typeof jobStates

/** A mail of the outbox in the output for operators. Instants are RFC 3339. Sent and failed mails are listed for two weeks. */
export interface MailRecord {
  id: string
  kind: string
  /** Null if the subject of the mail was deleted or there is no account to write to. */
  recipient: string | null
  state: MailState | 'dropped'
  attempts: number
  /** The error of the last failed attempt, or the reason why the mail was dropped. */
  lastError: string | null
  createdAt: string
  /** Time of the next attempt, while the mail is pending. */
  nextAttemptAt: string | null
  /** Time at which the mail was sent, was dropped or failed permanently. */
  endedAt: string | null
}

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')

const selectMailRecords = statement<MailRecord, [states: string[], limit: number]>(
  'mail_records',
  `SELECT j.id, j.data->>'kind' AS kind, COALESCE(i.email, l.email, j.data->>'recipient', u.email) AS recipient,
     CASE WHEN j.state IN (${quoted(jobStates.pending)}) THEN 'pending' WHEN j.state IN (${quoted(jobStates.failed)}) THEN 'failed'
          WHEN j.output ? 'dropped' THEN 'dropped' ELSE 'sent' END AS state,
     CASE WHEN j.started_on IS NULL THEN 0 ELSE j.retry_count + 1 END AS attempts,
     COALESCE(j.output->>'error', j.output->>'dropped', j.output->>'message', j.output->'value'->>'message') AS "lastError",
     j.created_on AS "createdAt", j.completed_on AS "endedAt",
     CASE WHEN j.state IN ('created', 'retry') THEN j.start_after END AS "nextAttemptAt"
   FROM ${queueSchema}.job j LEFT JOIN invitations i ON i.id = (j.data->>'invitationId')::uuid
     LEFT JOIN mail_links l ON l.id = (j.data->>'linkId')::uuid LEFT JOIN users u ON u.id = (j.data->>'userId')::uuid
   WHERE j.name = '${mailQueue}' AND j.state::text = ANY($1)
   ORDER BY j.created_on DESC, j.id LIMIT $2`,
)

/** Returns the mails of the outbox, newest first. */
export function listMails({ pool }: Database, state?: MailState, limit = 100): Promise<MailRecord[]> {
  const states: readonly string[] = state ? jobStates[state] : Object.values(jobStates).flat()
  return selectMailRecords(pool, [...states], limit)
}

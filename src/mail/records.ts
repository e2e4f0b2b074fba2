import type { PgBoss } from 'pg-boss'
import type { Database } from '../../prisma/client.ts'
import { statement } from '../../prisma/statement.ts'
import { isIdentifier } from '../../schema/validation.ts'
import { queueName, queueSchema } from './queue.ts'

const states = {
  pending: ['created', 'retry', 'active'],
  sent: ['completed'],
  failed: ['failed', 'cancelled'],
} as const

/** `sent` includes what was dropped, since it had become stale. */
export type MailState = keyof typeof states

/** A mail of the outbox as operators see it; instants in RFC 3339. What was sent or failed is kept for two weeks. */
export interface MailRecord {
  id: string
  kind: string
  /** Null when what the mail was about is deleted, or nobody was there to write to. */
  recipient: string | null
  state: MailState | 'dropped'
  attempts: number
  /** What the last failed attempt met, or why the mail was dropped. */
  lastError: string | null
  createdAt: string
  /** When it is tried next, while pending. */
  nextAttemptAt: string | null
  /** When it was sent, dropped or given up. */
  endedAt: string | null
}

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')

const recordsOfOutbox = statement<MailRecord, [states: string[], limit: number]>(
  'mail_records',
  `SELECT j.id, j.data->>'kind' AS kind, COALESCE(i.email, l.email, j.data->>'recipient', u.email) AS recipient,
     CASE WHEN j.state IN (${quoted(states.pending)}) THEN 'pending' WHEN j.state IN (${quoted(states.failed)}) THEN 'failed'
          WHEN j.output ? 'dropped' THEN 'dropped' ELSE 'sent' END AS state,
     CASE WHEN j.started_on IS NULL THEN 0 ELSE j.retry_count + 1 END AS attempts,
     COALESCE(j.output->>'error', j.output->>'dropped', j.output->>'message', j.output->'value'->>'message') AS "lastError",
     j.created_on AS "createdAt", j.completed_on AS "endedAt",
     CASE WHEN j.state IN ('created', 'retry') THEN j.start_after END AS "nextAttemptAt"
   FROM ${queueSchema}.job j LEFT JOIN invitations i ON i.id = (j.data->>'invitationId')::uuid
     LEFT JOIN mail_links l ON l.id = (j.data->>'linkId')::uuid LEFT JOIN users u ON u.id = (j.data->>'userId')::uuid
   WHERE j.name = '${queueName}' AND j.state::text = ANY($1)
   ORDER BY j.created_on DESC, j.id LIMIT $2`,
)

/** The outbox, newest first. */
export function listMails({ pool }: Database, state?: MailState, limit = 100): Promise<MailRecord[]> {
  const asked: readonly string[] = state ? states[state] : Object.values(states).flat()
  return recordsOfOutbox(pool, [...asked], limit)
}

/** Has a mail that failed, or waits for its pause to end, tried now; false where there is no such mail. */
export async function retryMail(boss: PgBoss, id: string, retries: number): Promise<boolean> {
  const [job] = isIdentifier(id) ? await boss.findJobs(queueName, { id }) : []
  if (!job) return false
  if (job.state === 'failed') await boss.retry(queueName, id)
  // The whole row of attempts again, beginning now.
  const { updated } = await boss.update(queueName, undefined, { id, startAfter: new Date(), retryLimit: job.retryCount + 1 + retries })
  return updated > 0
}

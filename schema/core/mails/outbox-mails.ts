// The mails of the outbox, which pg-boss stores as jobs (src/jobs/queue.ts). The content of a mail is not stored: it is written when the
// mail is sent.

/** The states of a mail. A mail that was out of date when it was to be sent is `dropped`. */
export const outboxStates = ['pending', 'sent', 'dropped', 'failed'] as const
export type OutboxState = (typeof outboxStates)[number]

/** A mail of the outbox. Instants are text; sent and failed mails are stored for two weeks. */
export interface OutboxMail {
  id: string
  kind: string
  /** Null if the subject of the mail was deleted or there is no account to write to. */
  recipient: string | null
  state: OutboxState
  attempts: number
  /** The error of the last failed attempt, or the reason why the mail was dropped. Neither contains the secret of a link. */
  lastError: string | null
  createdAt: string
  /** Time of the next attempt, while the mail is pending. */
  nextAttemptAt: string | null
  /** Time at which the mail was sent, was dropped or failed permanently. */
  endedAt: string | null
}

/** SQL condition that `j` is a mail. Statements that use the indexes have it. */
export const isOutboxMail = `j.name = 'mail'`

/** SQL condition that a mail `j` can be sent again. */
export const isRetryableMail = `j.state IN ('created', 'retry', 'failed')`

/** SQL for the state of a mail `j`. */
export const outboxState = `CASE WHEN j.state IN ('created', 'retry', 'active') THEN 'pending' WHEN j.state IN ('failed', 'cancelled') THEN 'failed'
  WHEN j.output ? 'dropped' THEN 'dropped' ELSE 'sent' END`

/** SQL for the identifier by which a mail `j` finds its recipient: of a user, a link or an invitation, or the address itself. */
export const outboxReference = `coalesce(j.data->>'userId', j.data->>'linkId', j.data->>'invitationId', j.data->>'recipient')`

/** SQL for the team that a mail `j` is about, or NULL. `i` is the invitation of the mail. */
export const outboxTeam = `coalesce(i.team_id, (j.data->>'teamId')::uuid, (SELECT team_id FROM invoices WHERE id = (j.data->>'invoiceId')::uuid),
  (SELECT team_id FROM access_tokens WHERE id = (j.data->>'tokenId')::uuid))`

/** The columns of an `OutboxMail`, and the tables from which they are selected. */
export const outboxColumns = `j.id, j.data->>'kind' AS kind, coalesce(i.email, l.email, j.data->>'recipient', u.email) AS recipient,
  ${outboxState} AS state, CASE WHEN j.started_on IS NULL THEN 0 ELSE j.retry_count + 1 END AS attempts,
  coalesce(j.output->>'error', j.output->>'dropped', j.output->>'message', j.output->'value'->>'message') AS "lastError",
  date_trunc('milliseconds', j.created_on) AS "createdAt", date_trunc('milliseconds', j.completed_on) AS "endedAt",
  CASE WHEN j.state IN ('created', 'retry') THEN date_trunc('milliseconds', j.start_after) END AS "nextAttemptAt"`
export const outboxTables = `pgboss.job j LEFT JOIN invitations i ON i.id = (j.data->>'invitationId')::uuid
  LEFT JOIN mail_links l ON l.id = (j.data->>'linkId')::uuid LEFT JOIN users u ON u.id = (j.data->>'userId')::uuid`

const ofTable = (sql: string) => sql.replaceAll('j.', '')

/** The indexes of lists of mails, by name, on the table of jobs. pg-boss has none for jobs that have ended. */
export const outboxIndexes: Readonly<Record<string, string>> = {
  mails_by_state: `((${ofTable(outboxState)}), created_on, id) WHERE ${ofTable(isOutboxMail)}`,
  mails_by_reference: `((${ofTable(outboxReference)}), created_on, id) WHERE ${ofTable(isOutboxMail)}`,
}

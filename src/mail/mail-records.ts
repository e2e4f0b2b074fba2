import type { Database } from '../../prisma/connection/database.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { isOutboxMail, outboxColumns, outboxState, outboxTables } from '../../schema/core/mails/outbox-mails.ts'
import type { OutboxMail, OutboxState } from '../../schema/core/mails/outbox-mails.ts'

/** Name of the queue of the mails. */
export const mailQueue = 'mail'

/** The states of mails by the filter of operators. `sent` includes mails that were dropped because they were out of date. */
const statesByFilter = {
  pending: ['pending'],
  sent: ['sent', 'dropped'],
  failed: ['failed'],
} as const satisfies Record<string, readonly OutboxState[]>
export type MailState = keyof typeof statesByFilter

const selectMails = statement<OutboxMail, [states: readonly string[], limit: number]>(
  'mail_records',
  `SELECT ${outboxColumns} FROM ${outboxTables} WHERE ${isOutboxMail} AND ${outboxState} = ANY ($1)
   ORDER BY j.created_on DESC, j.id LIMIT $2`,
)

/** Returns the mails of the outbox, newest first. */
export const listMails = ({ pool }: Database, state?: MailState, limit = 100): Promise<OutboxMail[]> =>
  selectMails(pool, state ? statesByFilter[state] : Object.values(statesByFilter).flat(), limit)

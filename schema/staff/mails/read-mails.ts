import { statement } from '../../../prisma/statement/statement.ts'
import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import type { Rows, Slice } from '../../builder/pagination.ts'
import {
  isOutboxMail,
  isRetryableMail,
  outboxColumns,
  outboxReference,
  outboxState,
  outboxTables,
  outboxTeam,
} from '../../core/mails/outbox-mails.ts'
import type { OutboxMail, OutboxState } from '../../core/mails/outbox-mails.ts'

export interface StaffMail extends OutboxMail {
  isRetryable: boolean
  userId: string | null
  teamId: string | null
}

/** Number of mails of a list that are counted and can be read; further ones are found with a filter. */
export const countedMails = 1000

/** The recipient of the listed mails: the identifier of a user or, if it is null, an address. */
export interface MailRecipient {
  userId: string | null
  address: string | null
}

const columns = `${outboxColumns}, ${isRetryableMail} AS "isRetryable", coalesce((j.data->>'userId')::uuid, l.user_id) AS "userId",
  ${outboxTeam} AS "teamId"`

const newestFirst = (limit: string) => `ORDER BY created_on DESC, id DESC LIMIT ${limit}`

/**
 * Builds a statement for a page of the mails that each row of `sources` has, and for their number. It reads the first mails of each source in
 * an index. The row with the number exists even if the page is empty.
 */
const pageText = (sources: string, condition: string) =>
  `WITH ${sources}, matching AS MATERIALIZED (
     SELECT m.id, m.created_on FROM sources s CROSS JOIN LATERAL (
       SELECT j.id, j.created_on FROM pgboss.job j WHERE ${isOutboxMail} AND ${condition} ${newestFirst(`${countedMails}`)}) m
     ${newestFirst(`${countedMails}`)})
   SELECT (SELECT count(*) FROM matching) AS total, page.* FROM (SELECT) one LEFT JOIN (
     SELECT ${columns} FROM (SELECT * FROM matching ${newestFirst('$2 OFFSET $3')}) p JOIN (${outboxTables}) ON ${isOutboxMail} AND j.id = p.id
   ) page ON true ORDER BY page."createdAt" DESC, page.id DESC`

type Row = StaffMail & { total: number }
type PageValues = [states: readonly OutboxState[], limit: number, offset: number]

const mailsByState = statement<Row, PageValues>(
  'staff_mails',
  pageText('sources AS (SELECT unnest($1::text[]) AS state)', `(${outboxState}) = s.state`),
)

// A mail refers to its recipient by one of these identifiers. An address can have mails without an account.
const mailsOfRecipient = statement<Row, [...PageValues, userId: string | null, address: string | null]>(
  'staff_mails_of_recipient',
  pageText(
    `accounts AS (SELECT id, email FROM users WHERE id = $4::uuid UNION SELECT id, email FROM users WHERE email = $5),
     addresses AS (SELECT email FROM accounts UNION SELECT $5 WHERE $5 IS NOT NULL),
     sources AS (SELECT id::text AS reference FROM accounts
       UNION ALL SELECT l.id::text FROM accounts a JOIN mail_links l ON l.user_id = a.id
       UNION ALL SELECT i.id::text FROM addresses a JOIN invitations i ON i.email = a.email
       UNION ALL SELECT email FROM addresses)`,
    `(${outboxReference}) = s.reference AND (${outboxState}) = ANY ($1)`,
  ),
)

/** Reads a page of the mails in these states, newest first. The total is at most `countedMails`. */
export async function readMails(
  pool: StatementPool,
  states: readonly OutboxState[],
  recipient: MailRecipient | null,
  { perPage, offset }: Pick<Slice, 'perPage' | 'offset'>,
): Promise<Rows<StaffMail>> {
  const values: PageValues = [states, perPage, offset]
  const rows = await (recipient ? mailsOfRecipient(pool, ...values, recipient.userId, recipient.address) : mailsByState(pool, ...values))
  return { nodes: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 }
}

const mailById = statement<StaffMail, [id: string]>(
  'staff_mail',
  `SELECT ${columns} FROM ${outboxTables} WHERE ${isOutboxMail} AND j.id = $1::uuid`,
)

/** Reads one mail, or null if there is none. */
export const readMail = async (pool: StatementPool, id: string): Promise<StaffMail | null> => (await mailById(pool, id))[0] ?? null

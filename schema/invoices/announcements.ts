import { statement } from '../../prisma/statement/statement.ts'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import { insertSystemEntries } from '../core/audit/audit.ts'
import type { Ports } from '../core/ports.ts'
import type { InvoiceMail } from '../core/mails/mails.ts'
import { isOverdueAt } from './invoice-list.ts'

interface Announced {
  invoiceId: string
  /** The owners and billing members of the team. Without a verified address they get no mail. */
  userIds: string[]
  /** Further email addresses in the billing details of the team. Those of its owners and billing members are left out. */
  recipients: string[]
}

/** Maximum number of invoices in one call. */
const batchSize = 100

/** SQL: the member receives the mails about invoices. */
const isNotified = `m.role IN ('owner', 'billing') AND u.email_verified AND u.disabled_at IS NULL`

/** Builds a statement that marks invoices and returns them, each once, even if several processes execute it at the same time. */
const claim = (name: string, mark: string, condition: string, recorded = '') =>
  statement<Announced, [now: Date]>(
    name,
    `WITH claimed AS (
       UPDATE invoices c SET ${mark} WHERE c.id = ANY (ARRAY(
         SELECT r.id FROM invoices r WHERE ${condition} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)) AND $1::timestamptz IS NOT NULL
       RETURNING c.*
     )${recorded && `, recorded AS (${recorded})`}
     SELECT c.id AS "invoiceId", to_json(ARRAY(
       SELECT u.id FROM members m JOIN users u ON u.id = m.user_id JOIN teams t ON t.id = m.team_id
       WHERE m.team_id = c.team_id AND ${isNotified} AND t.deleted_at IS NULL
       ORDER BY u.id)) AS "userIds",
       to_json(ARRAY(
       SELECT address FROM teams t, unnest(t.invoice_recipients) AS address
       WHERE t.id = c.team_id AND t.deleted_at IS NULL AND NOT EXISTS (
         SELECT FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.team_id = t.id AND ${isNotified} AND u.email = address)
       ORDER BY address)) AS recipients
     FROM claimed c`,
  )

/** An invoice that becomes overdue is an event, too (schema/core/audit/other-actions.ts). The values equal `invoiceValues`, in SQL. */
const recordOverdue = insertSystemEntries(
  'announceOverdueInvoice',
  '$1',
  `(SELECT team_id, id AS subject, number AS subject_name, NULL::jsonb AS before, jsonb_build_object('status', status, 'currency', currency,
      'total', subtotal + tax, 'amountDue', subtotal + tax - amount_paid, 'dueDate', due_date) AS after FROM claimed) d`,
)

/** The kinds of mails about invoices, with the statement that selects the invoices of each. */
const announcements: readonly [InvoiceMail['kind'], ReturnType<typeof claim>][] = [
  ['invoice-issued', claim('claim_issued_invoices', 'announces_issue = false', 'r.announces_issue')],
  [
    'invoice-overdue',
    claim(
      'claim_overdue_invoices',
      'overdue_notified_at = $1',
      // An invoice that was already overdue when it was recorded is excluded: an import of old invoices sends no mails.
      `${isOverdueAt('$1::timestamptz')} AND r.overdue_notified_at IS NULL AND r.due_date >= (r.recorded_at AT TIME ZONE 'UTC')::date`,
      recordOverdue,
    ),
  ],
]

/** Queues the mails about some new and overdue invoices, once for each, and records those that became overdue. Returns the number of invoices. */
export const announceInvoices = ({ database, now, sendMail }: Pick<Ports, 'database' | 'now' | 'sendMail'>): Promise<number> =>
  inTransaction(database, async (transaction) => {
    let count = 0
    for (const [kind, claimInvoices] of announcements) {
      const invoices = await claimInvoices(transaction, now())
      for (const { invoiceId, userIds, recipients } of invoices) {
        for (const userId of userIds) await sendMail(transaction, { kind, invoiceId, userId })
        for (const recipient of recipients) await sendMail(transaction, { kind, invoiceId, recipient })
      }
      count += invoices.length
    }
    return count
  })

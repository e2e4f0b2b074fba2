import type { TimeSettings } from '../../../schema/core/principals.ts'
import type { InvoiceMail } from '../../../schema/core/mails/mails.ts'
import { listCustomerLines } from '../../../schema/invoices/customer.ts'
import { calculateAmounts } from '../../../schema/invoices/payment.ts'
import { formatMoney } from '../../web/money.ts'
import { formatDate } from '../../web/time-format.ts'
import type { ComposeParts, Draft, MailDeclaration } from '../mail-declaration.ts'
import { messageId } from '../message.ts'
import { nameInSubject, nameInText } from '../names.ts'
import { recipientColumns, toRecipient } from '../recipient.ts'
import type { MailContent } from './mail-layout.ts'

/** The values in the text. */
interface InvoiceMailData {
  kind: InvoiceMail['kind']
  team: string
  number: string
  currency: string
  total: number
  amountDue: number
  dueDate: Date | null
  /** Name, address and VAT ID of the customer. Empty if the team has no billing details. */
  billTo: readonly string[]
  /** The page of the invoice; null for a recipient who may have no account. */
  address: string | null
  /** Settings by which the mail shows dates to the recipient. */
  times?: TimeSettings
}

/**
 * A mail to the owners and billing members of a team, and to the recipients in its billing details, about a new invoice, if the operator
 * requests it, or an overdue one. That to a recipient contains no link to a page (docs/decisions/invoices.md#recipients).
 */
export const invoiceMail: MailDeclaration<InvoiceMail> & { buildContent(data: InvoiceMailData): MailContent } = {
  buildContent,
  compose,
}

function buildContent({ kind, team, number, currency, total, amountDue, dueDate, billTo, address, times }: InvoiceMailData): MailContent {
  const isIssued = kind === 'invoice-issued'
  const type = total < 0 ? 'credit note' : 'invoice'
  const [named, ofTeam] = [`${type} “${nameInText(number)}”`, `the team “${nameInText(team)}”`]
  const due = dueDate === null ? '' : ` on ${formatDate(dueDate.toISOString().slice(0, 10), times)}`
  const money = (amount: number) => formatMoney(amount, currency)
  const events = isIssued
    ? [`There is a new ${named} of ${money(total)} for ${ofTeam}.`, ...(amountDue > 0 ? [`${money(amountDue)} is due${due}.`] : [])]
    : [`The ${named} for ${ofTeam} was due${due}.`, `${money(amountDue)} of ${money(total)} has not been paid.`]
  return {
    subject: `${nameInSubject(team)}: ${isIssued ? `new ${type} ${nameInSubject(number)}` : `invoice ${nameInSubject(number)} is overdue`}`,
    paragraphs: [events.join(' '), ...(billTo.length > 0 ? [`It is billed to ${billTo.map((line) => nameInText(line)).join(', ')}.`] : [])],
    ...(address !== null && { link: { lead: `View and download the ${type}:`, button: `View ${type}`, address } }),
    ending: isIssued ? [] : ['If you have paid it in the meantime, you can ignore this email.'],
    reason:
      address === null
        ? `${ofTeam} entered your address as a recipient of its invoices`
        : `you are an owner or a billing member of ${ofTeam}`,
  }
}

async function compose({ database, authUrl, now }: ComposeParts, { kind, invoiceId, userId, recipient }: InvoiceMail): Promise<Draft> {
  const [invoice, user] = await Promise.all([
    database.prisma.invoice.findUnique({
      where: { id: invoiceId },
      include: { team: true },
    }),
    userId === undefined ? null : database.prisma.user.findUnique({ where: { id: userId }, select: { email: true, ...recipientColumns } }),
  ])
  const to = user?.email ?? recipient
  if (!invoice || to === undefined || invoice.team.deletedAt) return { dropped: 'deleted' }
  if (recipient !== undefined && !invoice.team.invoiceRecipients.includes(recipient)) return { dropped: 'no longer a recipient' }
  const { team, number, status, currency, dueDate } = invoice
  if (kind === 'invoice-overdue' ? status !== 'open' : status === 'void') return { dropped: 'paid or cancelled' }
  const [subtotal, tax, amountPaid] = [invoice.subtotal, invoice.tax, invoice.amountPaid].map(Number)
  const amounts = calculateAmounts({ status, subtotal: subtotal ?? 0, tax: tax ?? 0, amountPaid: amountPaid ?? 0 })
  const { name, ...times } = toRecipient(user)
  const address = user && `${authUrl}/teams/${team.slug}/invoices/${invoiceId}`
  const billTo = listCustomerLines({ name: team.billingName, address: team.billingAddress, vatId: team.vatId })
  const content = buildContent({ kind, team: team.name, number, currency, ...amounts, dueDate, billTo, address, times })
  const date = kind === 'invoice-overdue' ? (invoice.overdueNotifiedAt ?? now()) : invoice.recordedAt
  return { to, name, content, secret: '', messageId: messageId(authUrl, kind, invoiceId, userId ?? to), date }
}

import type { TimeSettings } from '../../../schema/core/principals.ts'
import type { InvoiceMail } from '../../../schema/core/mails/mails.ts'
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
  /** The page of the invoice. */
  address: string
  /** Settings by which the mail shows dates to the recipient. */
  times?: TimeSettings
}

/** A mail to the owners and billing members of a team about a new invoice, if the operator requests it, or an overdue one. */
export const invoiceMail: MailDeclaration<InvoiceMail> & { buildContent(data: InvoiceMailData): MailContent } = {
  buildContent,
  compose,
}

function buildContent({ kind, team, number, currency, total, amountDue, dueDate, address, times }: InvoiceMailData): MailContent {
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
    paragraphs: [events.join(' ')],
    link: { lead: `View and download the ${type}:`, button: `View ${type}`, address },
    ending: isIssued ? [] : ['If you have paid it in the meantime, you can ignore this email.'],
    reason: `you are an owner or a billing member of ${ofTeam}`,
  }
}

async function compose({ database, authUrl, now }: ComposeParts, { kind, invoiceId, userId }: InvoiceMail): Promise<Draft> {
  const [invoice, user] = await Promise.all([
    database.prisma.invoice.findUnique({
      where: { id: invoiceId },
      include: { team: { select: { name: true, slug: true, deletedAt: true } } },
    }),
    database.prisma.user.findUnique({ where: { id: userId }, select: { email: true, ...recipientColumns } }),
  ])
  if (!invoice || !user || invoice.team.deletedAt) return { dropped: 'deleted' }
  const { team, number, status, currency, dueDate } = invoice
  if (kind === 'invoice-overdue' ? status !== 'open' : status === 'void') return { dropped: 'paid or cancelled' }
  const [subtotal, tax, amountPaid] = [invoice.subtotal, invoice.tax, invoice.amountPaid].map(Number)
  const amounts = calculateAmounts({ status, subtotal: subtotal ?? 0, tax: tax ?? 0, amountPaid: amountPaid ?? 0 })
  const recipient = toRecipient(user)
  const address = `${authUrl}/teams/${team.slug}/invoices/${invoiceId}`
  const content = buildContent({ kind, team: team.name, number, currency, ...amounts, dueDate, address, times: recipient })
  const date = kind === 'invoice-overdue' ? (invoice.overdueNotifiedAt ?? now()) : invoice.recordedAt
  return { to: user.email, name: recipient.name, content, secret: '', messageId: messageId(authUrl, kind, invoiceId, userId), date }
}

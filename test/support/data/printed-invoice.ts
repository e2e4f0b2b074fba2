import type { PrintedTeam } from '../../../src/account-site/invoices/pdf/invoice-pdf.ts'

type Line = PrintedTeam['invoice']['lines'][number]

/** A line of an invoice. */
export const line = (data: Partial<Line> = {}): Line => ({
  appId: null,
  description: 'Seats',
  quantity: 2,
  unitAmount: 500,
  amount: 1000,
  periodStart: null,
  periodEnd: null,
  ...data,
})
/** A team with an invoice, as the PDF receives it. */
export const printedTeam = ({ name = 'Acme', ...invoice }: Partial<PrintedTeam['invoice']> & { name?: string } = {}): PrintedTeam => ({
  name,
  invoice: {
    id: '1',
    number: 'ACME-0001',
    appId: null,
    status: 'OPEN',
    currency: 'eur',
    subtotal: 1000,
    tax: 190,
    total: 1190,
    amountDue: 1190,
    amountPaid: 0,
    invoiceDate: '2026-01-31',
    dueDate: null,
    isOverdue: false,
    paidAt: null,
    periodStart: null,
    periodEnd: null,
    lines: [line()],
    ...invoice,
  },
})
export const issuer = { name: 'Example Ltd', address: ['1 Main Street'] }

import type { PrintedTeam } from '../../../../src/account-site/invoices/content.ts'
import type { Brand } from '../../../../src/web/brand/brand.ts'

type Line = PrintedTeam['invoice']['lines'][number]

/** A line of an invoice. */
export const line = (data: Partial<Line> = {}): Line => ({
  appId: null,
  description: 'Seats',
  quantity: 2,
  unitAmount: 500,
  amount: 1000,
  taxRate: null,
  periodStart: null,
  periodEnd: null,
  ...data,
})
/** A team with an invoice, as the PDF receives it. */
export const printedTeam = ({ name = 'Acme', ...invoice }: Partial<PrintedTeam['invoice']> & { name?: string } = {}): PrintedTeam => ({
  name,
  billingDetails: { name: null, address: null, vatId: null },
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
    taxes: [{ rate: null, net: 1000, tax: 190 }],
    ...invoice,
  },
})
/** The company that issues it. */
export const issuer: Brand = {
  name: 'Team accounts',
  logo: undefined,
  color: '#1d55c4',
  support: undefined,
  termsUrl: undefined,
  privacyUrl: undefined,
  legalName: 'Example Ltd',
  address: ['1 Main Street'],
  paymentText: ['IBAN DE00 1234', 'State the invoice number.'],
}

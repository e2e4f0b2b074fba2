import type { Application } from '../../../prisma/generated/client/enums.ts'
import { teamSlug } from './people.ts'

const day = 86_400_000
const dateOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)

interface Plan {
  appId: Application | null
  currency: 'eur' | 'usd'
  /** Price in cents, and what it is multiplied with as the team grows. */
  lines: readonly [description: string, unitAmount: number, quantity: (month: number) => number, appId?: Application][]
}

/** What the team is invoiced for each month. */
const plans: readonly Plan[] = [
  {
    appId: 'deploy',
    currency: 'eur',
    lines: [
      ['Deployments, team plan', 4900, () => 1],
      ['Seats', 900, (month) => 20 + month],
      ['Build minutes, 1,000 each', 750, (month) => 4 + (month % 5)],
    ],
  },
  { appId: 'cert', currency: 'eur', lines: [['Wildcard certificates', 1900, (month) => 2 + (month % 3)]] },
  {
    appId: null,
    currency: 'eur',
    lines: [
      ['Domain names, renewal', 1450, (month) => 3 + (month % 4), 'domain'],
      ['Backups, 1 TB each', 2300, (month) => 2 + Math.floor(month / 6), 'backup'],
      ['Support, business hours', 9900, () => 1],
    ],
  },
  { appId: 'flow', currency: 'usd', lines: [['Requests filtered, 1 million each', 120, (month) => 310 + 17 * month]] },
  { appId: 'socket', currency: 'usd', lines: [['Open connections, 1,000 each', 400, (month) => 12 + month]] },
]

const months = 24

/** 120 invoices of two years in two currencies: paid, open, overdue, void and uncollectible ones, and a credit note. */
export const invoiceRecords = (now: Date): object[] =>
  Array.from({ length: months }, (_, month) => plans.map((_, plan) => invoiceRecord(now, month, plan))).flat()

/** The invoice of a plan for a month, of which 0 is the oldest. */
function invoiceRecord(now: Date, month: number, plan: number): object {
  const { appId, currency, lines } = plans[plan] ?? { appId: null, currency: 'eur', lines: [] }
  const age = months - 1 - month
  const issued = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - age, 1)
  const status = statusOf(age, plan)
  const isCredit = age === 7 && plan === 1
  const period = {
    period_start: dateOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - age - 1, 1)),
    period_end: dateOf(issued - day),
  }
  const printed = lines.map(([description, unitAmount, quantity, lineApp = appId]) => ({
    description: isCredit ? `Credit: ${description.toLowerCase()}` : description,
    quantity: quantity(month),
    unit_amount: isCredit ? -unitAmount : unitAmount,
    app_id: lineApp ?? undefined,
    period_start: period.period_start,
    period_end: period.period_end,
  }))
  // One invoice is long enough for three pages.
  if (age === 2 && plan === 0) printed.push(...overtime(period))
  const subtotal = printed.reduce((sum, line) => sum + line.quantity * line.unit_amount, 0)
  const tax = currency === 'eur' ? Math.round(subtotal * 0.19) : 0
  return {
    type: 'invoice',
    team: teamSlug,
    number: `NW-${new Date(issued).getUTCFullYear()}-${String(month * plans.length + plan + 1).padStart(4, '0')}`,
    app_id: appId ?? undefined,
    status,
    currency,
    tax,
    amount_paid: status === 'paid' && !isCredit ? subtotal + tax : 0,
    invoice_date: dateOf(issued),
    due_date: dateOf(issued + 14 * day),
    paid_at: status === 'paid' ? new Date(issued + (6 + plan) * day).toISOString() : undefined,
    ...period,
    lines: printed,
  }
}

function statusOf(age: number, plan: number): string {
  if (age === 0 || (age === 1 && plan === 3)) return 'open'
  if (age === 5 && plan === 2) return 'void'
  return age === 15 && plan === 4 ? 'uncollectible' : 'paid'
}

const overtime = (period: { period_start: string; period_end: string }) =>
  Array.from({ length: 48 }, (_, index) => ({
    description: `Build minutes of the project “storefront-${index + 1}”`,
    quantity: 3 + (index % 7),
    unit_amount: 75,
    app_id: 'deploy' as const,
    ...period,
  }))

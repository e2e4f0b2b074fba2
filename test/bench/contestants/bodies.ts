import { avatarUrl } from '../../../schema/teams/avatar.ts'
import type { InvoiceRow, LineRow, MemberRow, TeamRow } from './statements.ts'

// From rows to the JSON bodies of the service, for all hand-written contestants.

export const teamBody = ({ slug, name, timezone, gravatar_email, created_at, updated_at }: TeamRow) => {
  return { slug, name, timezone, gravatar_email, avatar_url: avatarUrl(gravatar_email), created_at, updated_at }
}

export const memberBody = ({ user_id, name, email, role, all_applications, applications, joined_at }: MemberRow) => {
  const accessible_app_ids = all_applications ? null : applications
  return { id: user_id, name, email, role, accessible_app_ids, avatar_url: avatarUrl(email), joined_at }
}

/** `lines` are all lines of the page, or undefined if the request does not ask for them. */
export function invoiceBodies(rows: readonly InvoiceRow[], lines: readonly LineRow[] | undefined) {
  const byInvoice = lines && Map.groupBy(lines, ({ invoice_id }) => invoice_id)
  return rows.map((row) => ({
    ...invoiceBody(row),
    lines: byInvoice && (byInvoice.get(row.id) ?? []).map((line) => lineBody(line, row.currency)),
  }))
}

function invoiceBody({ application, subtotal, tax, amount_paid, ...row }: InvoiceRow) {
  const { id, number, status, currency, invoice_date, due_date, paid_at, period_start, period_end } = row
  const total = subtotal + tax
  const sums = { currency, subtotal, tax, total, amount_due: total - amount_paid, amount_paid }
  return { id, number, app_id: application, status, ...sums, invoice_date, due_date, paid_at, period_start, period_end }
}

function lineBody({ id, application, description, quantity, unit_amount, period_start, period_end }: LineRow, currency: string) {
  return { id, app_id: application, description, quantity, unit_amount, amount: quantity * unit_amount, currency, period_start, period_end }
}

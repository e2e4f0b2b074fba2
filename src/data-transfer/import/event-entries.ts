import { z } from 'zod'
import { InvoiceStatus } from '../../../prisma/generated/client/enums.ts'
import { difference } from '../../../schema/core/audit/audit.ts'
import { picturePath } from '../../../schema/pictures/picture-url.ts'
import { invoiceValues } from '../../../schema/invoices/payment.ts'
import type { CommandEntry } from '../../database/operator-entry.ts'
import type { RecordTypeName } from '../records/record-types.ts'
import type { Row } from '../records/storage.ts'

// The audit entries for an import's changes in teams, in the form in which the service writes them for the same change. They are the events
// of the import (schema/core/audit/actions.ts). Users, connected apps and clients have none.

/** A row that was created, or changed from `before`. */
export interface WrittenRow {
  id: string | undefined
  row: Row
  before: Row | null
}

const storedInvoice = z.object({
  status: z.enum(InvoiceStatus),
  currency: z.string(),
  subtotal: z.number(),
  tax: z.number(),
  amount_paid: z.number(),
  due_date: z.string().nullish(),
})
const valuesOfInvoice = (row: Row) => {
  const { amount_paid: amountPaid, due_date: dueDate = null, ...invoice } = storedInvoice.parse(row)
  return invoiceValues({ ...invoice, amountPaid, dueDate })
}

/** A void invoice was never issued. An invoice that is paid from the start is issued and paid. */
function invoiceEntries({ id = '', row, before: old }: WrittenRow): CommandEntry[] {
  const after = valuesOfInvoice(row)
  const entry = { teamId: String(row['team_id']), subject: id, subjectName: String(row['number']), after }
  const isPaid = after.status === 'paid'
  if (old) {
    const before = valuesOfInvoice(old)
    return [{ action: isPaid && before.status !== 'paid' ? 'payInvoice' : 'updateInvoice', ...entry, before }]
  }
  return after.status === 'void' ? [] : [{ action: isPaid ? 'issuePaidInvoice' : 'issueInvoice', ...entry }]
}

const storedMember = z.object({ role: z.string(), all_applications: z.boolean(), applications: z.array(z.string()) })
const valuesOfMember = (row: Row) => {
  const { role, all_applications: allApplications, applications } = storedMember.parse(row)
  return { role, accessibleAppIds: allApplications ? null : applications.toSorted() }
}

function memberEntries({ row, before: old }: WrittenRow): CommandEntry[] {
  const after = valuesOfMember(row)
  const entry = { teamId: String(row['team_id']), userId: String(row['user_id']), after }
  if (!old) return [{ action: 'addMember', ...entry }]
  const before = valuesOfMember(old)
  // A member may differ only in the time of joining.
  return difference(before, after).isUnchanged ? [] : [{ action: 'updateMember', ...entry, before }]
}

const parseInstant = (value: unknown) => (typeof value === 'string' ? new Date(value).toISOString() : null)
const toText = (value: unknown) => (typeof value === 'string' ? value : null)
const valuesOfTeam = (row: Row) => ({
  name: toText(row['name']),
  timezone: toText(row['timezone']),
  gravatarEmail: toText(row['gravatar_email']),
  logo: picturePath(toText(row['logo_id'])),
})

function teamEntries({ id = '', row, before: old }: WrittenRow): CommandEntry[] {
  // A new team has no event, because no one could read its feed before.
  if (!old) return []
  const entry = { teamId: id, subject: String(row['slug']) }
  const { isUnchanged, ...changed } = difference(valuesOfTeam(old), valuesOfTeam({ logo_id: old['logo_id'], ...row }))
  const [before, after] = [old, { ...old, ...row }].map((each) => ({ twoFactorRequiredAt: parseInstant(each['two_factor_required_at']) }))
  return [
    ...(isUnchanged ? [] : [{ action: 'updateTeam' as const, ...entry, ...changed }]),
    ...(before && after && before.twoFactorRequiredAt !== after.twoFactorRequiredAt
      ? [{ action: 'setTwoFactorRequirement' as const, ...entry, subjectName: String(row['name']), before, after }]
      : []),
  ]
}

/** A changed token has no event. */
function tokenEntries({ id = '', row, before }: WrittenRow): CommandEntry[] {
  if (before || row['kind'] !== 'team') return []
  const after = { scopes: row['scopes'], expiresAt: row['expires_at'] ?? null }
  return [{ action: 'createTeamToken', teamId: String(row['team_id']), subject: id, subjectName: String(row['name']), after }]
}

export const buildEntries: Readonly<Partial<Record<RecordTypeName, (written: WrittenRow) => CommandEntry[]>>> = {
  team: teamEntries,
  member: memberEntries,
  invoice: invoiceEntries,
  token: tokenEntries,
}

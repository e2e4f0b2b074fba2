import type { AuditEntry } from '../../prisma/generated/client/client.ts'
import { auditActions } from '../core/audit/actions.ts'
import type { AuditAction, AuditSubject } from '../core/audit/actions.ts'
import type { AuditActionRow } from '../core/audit/audited-mutations.ts'

const rows: Readonly<Record<string, AuditActionRow & { subject?: AuditSubject }>> = auditActions

const readings: readonly AuditAction[] = ['readAsStaff', 'readInSupportSession']

/** Builds the condition for an audit entry that is not about what staff read. Such entries would displace the latest changes. */
export const isNoReading = (entry: string): string => `${entry}.action NOT IN (${readings.map((action) => `'${action}'`).join(', ')})`

/** Returns an audit entry for staff, without the paths of URLs of webhooks: some receivers accept requests by a secret in the path. */
export function toShownEntry(entry: AuditEntry): AuditEntry {
  if (rows[entry.action]?.subject !== 'Webhook') return entry
  const { before, after, subjectName } = entry
  return { ...entry, before: hidePaths(before), after: hidePaths(after), subjectName: subjectName && hidePath(subjectName) }
}

const hidePath = (text: string) => (/^https?:\/\//.test(text) ? `${URL.parse(text)?.origin ?? ''}/…` : text)

function hidePaths(value: AuditEntry['before']): AuditEntry['before'] {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? hidePath(each) : each))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only texts in it were replaced
  return JSON.parse(text) as AuditEntry['before']
}
